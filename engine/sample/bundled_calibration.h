#pragma once

#include <vector>

#include "engine/views/network_input.h"

namespace threefold {

/// What 8-bit precisions measure their ranges on unless told otherwise: views 0, 6 and 7 of every
/// bundled sample. Throws IoError, InputError, FormatError.
std::vector<NetworkInput> bundledCalibration();

}  // namespace threefold
