#pragma once

#include <string>

#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// Table as in the paper: the published meshes and their difference, by category and over all
/// samples, for each protocol and for the silhouettes, with units. Leaves out the protocols if no
/// sample has scores, and the silhouettes if no sample has silhouette measures. `summary`:
/// summarise(run).
std::string paperTable(const EvaluationRun& run, const EvaluationSummary& summary);

}  // namespace threefold
