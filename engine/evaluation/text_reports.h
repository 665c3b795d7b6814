#pragma once

#include <string>

#include "engine/evaluation/evaluation_run.h"
#include "engine/evaluation/summary.h"

namespace threefold {

/// Content of metrics_summary.txt.
std::string measuresSummaryText(const EvaluationRun& run, const EvaluationSummary& summary);
/// Content of combined_timings.txt.
std::string combinedTimingsText(const EvaluationRun& run, const EvaluationSummary& summary);

}  // namespace threefold
