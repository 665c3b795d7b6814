#pragma once

#include <cstddef>

#include "cuda/kernels/cloud_batch.h"
#include "cuda/runtime/stream.h"
#include "engine/metrics/matching.h"

namespace threefold::cuda {

/// Bytes of device memory that a matching works in, for a batch no larger in any of its counts.
std::size_t matchingWorkspace(const CloudBatch& clouds);

/// The earth mover's matching of every pair of a batch, by steps 1 to 4 of the definition in
/// engine/metrics/matching.h (settledMatchings() does step 5 with it): any n and m, the whole batch
/// in each launch. One launch a half step
/// (485 with the default schedule), O(n·m) operations and O(n + m) memory; distances are computed
/// anew each time. Sums are in a fixed order: the same bits on every run, and for a pair alone as
/// within a batch. Roots and powers of two are the device's fast ones, good to 2e-7.
///
/// `results` (pairs), in device memory. Cost and bound are NaN where a cloud is empty or a
/// coordinate is not finite: callers that still have the points ask requireMatchable() first.
/// `workspace`: matchingWorkspace() bytes, 256-byte aligned, with any contents. Throws InputError
/// where the schedule cannot be run.
void launchMatching(Stream stream, const CloudBatch& clouds, const MatchingSchedule& schedule,
                    Matching* results, std::byte* workspace);

}  // namespace threefold::cuda
