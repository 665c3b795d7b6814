#pragma once

#include <filesystem>
#include <string>

#include "app/console/output.h"
#include "engine/evaluation/result_files.h"

namespace threefold {

/// The table of the paper: coarse, refined and their difference, by category and over all samples,
/// for each protocol and for the silhouettes, with units. Omits what no sample has.
std::string paperTable(const EvaluationRun& run);

/// Writes the reports of a finished run, and prints that table and where they are; with `json`
/// report.json instead. Throws IoError.
ExitCode tellOutcome(const EvaluationRun& run, const std::filesystem::path& folder, bool json);

}  // namespace threefold
