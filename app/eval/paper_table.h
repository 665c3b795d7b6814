#pragma once

#include <string>

#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// Tables in the form of the paper's table: the published meshes and their difference, by category
/// and over all samples, for each protocol and for the silhouettes, with units. Leaves out the
/// protocols if no sample has scores, and the silhouettes if no sample has silhouette measures.
/// Adds a table of the fitted meshes if the run has a fit, then sample counts and the network's
/// times. `summary`: summarise(run).
std::string paperTable(const EvaluationRun& run, const EvaluationSummary& summary);

}  // namespace threefold
