#pragma once

#include <string>

#include "engine/model/convert.h"

namespace threefold {

/// The table that a conversion prints: how many tensors of each part matched, every one that is
/// missing or cannot be used, and those that are left over, many of one kind as one line.
std::string reportText(const ConvertReport& report);

}  // namespace threefold
