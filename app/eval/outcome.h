#pragma once

#include <filesystem>

#include "app/console/output.h"
#include "engine/evaluation/result_files.h"

namespace threefold {

/// Writes the reports of a finished run, and prints the table of the paper and where they are; with
/// `json` report.json instead. Throws IoError.
ExitCode tellOutcome(const EvaluationRun& run, const std::filesystem::path& folder, bool json);

}  // namespace threefold
