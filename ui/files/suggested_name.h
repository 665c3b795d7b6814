#pragma once

#include <span>
#include <string>

#include "engine/sample/sample.h"

namespace threefold::ui {

/// Default name for files of a sample, from category (if any), sample and views, such as
/// "airplane_p0001_0-6-7".
std::string suggestedName(const Sample& sample, std::span<const int> views);

}  // namespace threefold::ui
