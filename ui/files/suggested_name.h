#pragma once

#include <span>
#include <string>

#include "engine/sample/sample.h"

namespace threefold::ui {

/// What files of this sample are called, if a person gives no other name: category or nothing, item
/// and views, "airplane_p0001_0-6-7".
std::string suggestedName(const Sample& sample, std::span<const int> views);

}  // namespace threefold::ui
