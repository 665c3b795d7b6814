#pragma once

#include <string>

#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// Content of metrics_results.csv, see writeReports().
std::string measuresCsv(const EvaluationRun& run);

}  // namespace threefold
