#pragma once

#include <filesystem>

#include "app/console/exit_code.h"
#include "app/options/targets.h"
#include "engine/evaluation/report/write_reports.h"
#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// Writes the reports of a finished run and prints the paper's table and the path of report.html;
/// with `json` prints report.json instead. Reports whether the network met the targets: in the
/// text, or in the log if `json`. Throws IoError.
ExitCode reportOutcome(const EvaluationRun& run, const std::filesystem::path& folder, bool json,
                       const Targets& targets, const ReportOptions& options);

}  // namespace threefold
