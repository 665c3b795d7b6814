#pragma once

#include <filesystem>
#include <vector>

#include "engine/views/network_input.h"

namespace threefold {

/// The folders of the samples that come with the program, in the order in which they are offered:
/// that of list.txt in bundledSamplesFolder(). Those that it does not name come last, as
/// listSamples() sorts them. Throws IoError (no resources), and what readTestList() throws.
std::vector<std::filesystem::path> bundledSamples();

/// Default samples that 8-bit precisions measure their ranges on: views 0, 6 and 7 of every bundled
/// sample. Throws IoError, InputError, FormatError.
std::vector<NetworkInput> bundledCalibration();

}  // namespace threefold
