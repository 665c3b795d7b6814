#pragma once

#include <string>
#include <vector>

namespace threefold {

/// The samples to work on, test lists (*.txt) replaced by their lines. Throws IoError (a list that
/// cannot be read), InputError (nothing left to do).
std::vector<std::string> expandSamples(const std::vector<std::string>& given);

}  // namespace threefold
