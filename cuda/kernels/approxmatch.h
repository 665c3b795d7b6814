#pragma once

#include <cstddef>

#include "cuda/kernels/nn_distance.h"
#include "cuda/runtime/stream.h"
#include "engine/metrics/matching.h"

namespace threefold::cuda {

/// Bytes of a matching's workspace, for batches no larger in any of their counts.
std::size_t matchingWorkspace(const CloudBatch& clouds);

/// Earth mover's matching of every pair of a batch: steps 1 to 4 of the definition in
/// engine/metrics/matching.h (settledMatchings() adds step 5), for any n and m. One launch per half
/// step for the whole batch (485 with the default schedule), O(n·m) operations and O(n + m) memory;
/// each launch computes the distances anew. Sums have a fixed order: the same bits on every run,
/// and for a pair alone as within a batch. Roots and powers of two are the device's fast ones,
/// accurate to 2e-7.
///
/// `results` (pairs), in device memory. Cost and bound are NaN where a cloud is empty or a
/// coordinate is not finite: callers that still have the points ask requireMatchable() first.
/// `workspace`: matchingWorkspace() bytes, 256-byte aligned, with any contents. Throws InputError
/// where the schedule cannot be run.
void launchMatching(Stream stream, const CloudBatch& clouds, const MatchingSchedule& schedule,
                    Matching* results, std::byte* workspace);

}  // namespace threefold::cuda
