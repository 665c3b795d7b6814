#pragma once

#include <string>

#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// Content of metrics_summary.txt.
std::string measuresSummaryText(const EvaluationRun& run, const EvaluationSummary& summary);
/// Content of combined_timings.txt.
std::string combinedTimingsText(const EvaluationRun& run, const EvaluationSummary& summary);

}  // namespace threefold
