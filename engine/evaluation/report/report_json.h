#pragma once

#include <string>

#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// Schema version of report.json: increased when a field changes its meaning or is removed.
inline constexpr int kReportSchemaVersion = 2;

/// Content of report.json.
std::string reportJson(const EvaluationRun& run, const EvaluationSummary& summary);

}  // namespace threefold
