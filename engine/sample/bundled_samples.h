#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/views/network_input.h"

namespace threefold {

/// Folders of the bundled samples in the order of list.txt in bundledSamplesFolder(); samples that
/// list.txt does not name come last, in the order of listSamples(). Throws IoError (no resources);
/// also throws as readTestList() does.
std::vector<std::filesystem::path> bundledSamples();

/// Folders of the bundled photographs with cameras, sorted by path. They are in the folder
/// photographs/ of bundledSamplesFolder(). Throws IoError (no resources).
std::vector<std::filesystem::path> bundledPhotographs();

/// Sample that the window opens if no file is named: the first of bundledPhotographs(), else of
/// bundledSamples(); nullopt if no sample is installed. Throws IoError (no resources), and what
/// bundledSamples() throws.
std::optional<std::filesystem::path> firstBundledSample();

/// Samples on which 8-bit ranges are measured by default: views 0, 6 and 7 of every bundled sample.
/// Throws IoError, InputError, FormatError.
std::vector<NetworkInput> bundledQuantisationSamples();

}  // namespace threefold
