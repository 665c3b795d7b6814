#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/sample/sample.h"

namespace threefold {

/// A sample to work on, named on the command line or in a list.
struct SampleArgument {
    std::string location;                     ///< path, name or image: SampleQuery::location
    std::string listLocation = {};            ///< "list.txt, line 3"; empty: not from a list
    std::optional<ErrorReport> problem = {};  ///< why the sample cannot be used, if that is known
};

/// Replaces test lists (*.txt, or kStandardInput) by the samples in their lines; keeps other
/// arguments. Throws IoError, FormatError (a list that cannot be read), InputError (no sample is
/// named).
std::vector<SampleArgument> expandSamples(const std::vector<std::string>& arguments);

/// Expands folders to the photographs in them; keeps files. Throws InputError for a folder without
/// photographs, and for a video.
std::vector<std::filesystem::path> photographsIn(const std::vector<std::filesystem::path>& paths);

/// Finds the sample and throws as findSample() does. Also throws SampleArgument::problem as an
/// InputError. If a list names the sample, an InputError names the list and the line.
Sample findSampleArgument(const SampleArgument& sample, const std::filesystem::path& imageRoot,
                          const std::filesystem::path& truthRoot = {},
                          const ObjectPlacement& object = {},
                          TruthSpaceChoice truthSpace = TruthSpaceChoice::byFormat);

}  // namespace threefold
