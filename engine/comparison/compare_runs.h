#pragma once

#include "engine/comparison/compared_run.h"
#include "engine/comparison/comparison.h"

namespace threefold {

/// Compares two runs. Throws InputError without scores under the protocol, or without common
/// samples; exceptions of ComparedRun::readMesh propagate.
Comparison compareRuns(const ComparedRun& first, const ComparedRun& second,
                       Protocol protocol = Protocol::published);

}  // namespace threefold
