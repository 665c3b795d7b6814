#pragma once

#include <filesystem>
#include <string>

#include "app/console/exit_code.h"
#include "engine/evaluation/result_files.h"

namespace threefold {

/// The table of the paper: coarse, refined and their difference, by category and of all, for each
/// protocol of the run and for the silhouettes, with what was counted and in which unit. What no
/// sample has is left out.
std::string paperTable(const EvaluationRun& run);

/// Writes the reports of a finished run, and prints that table and where they are; with `json`
/// report.json instead. Throws IoError.
ExitCode tellOutcome(const EvaluationRun& run, const std::filesystem::path& folder, bool json);

}  // namespace threefold
