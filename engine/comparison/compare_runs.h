#pragma once

#include "engine/comparison/compared_run.h"
#include "engine/comparison/comparison.h"

namespace threefold {

/// Compares two runs. Throws InputError if a run was not scored under the protocol, or if no sample
/// is done in both runs; exceptions of ComparedRun::readMesh propagate.
Comparison compareRuns(const ComparedRun& first, const ComparedRun& second,
                       Protocol protocol = Protocol::published);

}  // namespace threefold
