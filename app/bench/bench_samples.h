#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/sample/sample.h"

namespace threefold {

/// Finds the named sample; an empty name means the first bundled sample. Throws InputError,
/// IoError.
Sample chosenSample(const std::string& name);

/// Adds a benchmark's option --samples.
void addSamplesOption(CLI::App& command, std::filesystem::path& folder);
/// Samples of `folder`; an empty path means the bundled samples. Throws InputError if there are
/// none; otherwise throws as bundledSamples() and listSamples() do.
std::vector<std::filesystem::path> benchSamples(const std::filesystem::path& folder,
                                                const char* remedy = "Name a data set's folder.");

}  // namespace threefold
