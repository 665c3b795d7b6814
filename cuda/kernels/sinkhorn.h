#pragma once

#include <cstddef>

#include "cuda/kernels/cloud_pairs.h"
#include "cuda/runtime/stream.h"
#include "engine/measures/earth_movers.h"

namespace threefold::cuda {

/// Bytes of launchMatching()'s workspace; enough for every batch with no more pairs, no more points
/// in first clouds and no more points in second clouds than `clouds`.
std::size_t matchingWorkspaceBytes(const PackedCloudPairs& clouds);

/// Earth mover's matching of every pair of a batch: steps 1 to 4 of the definition in METHOD.md §9
/// (convergedDistances() adds step 5), for any n and m. One launch per half step for the whole
/// batch (485 with the default schedule), O(n·m) operations and O(n + m) memory; each launch
/// computes the distances anew. Sums have a fixed order, so that a pair has the same
/// bits on every run, alone or within a batch. Roots and powers of two are the device's fast ones,
/// accurate to 2e-7.
///
/// `results` (pairs), in device memory. Distance and bound are NaN where a cloud is empty, a
/// coordinate is not finite, or the clouds' extent overflows float32: callers with the points at
/// hand call requireTransportable() first. `workspace`: matchingWorkspaceBytes() bytes, 256-byte
/// aligned, with any contents. Throws InputError where the schedule cannot be run.
void launchMatching(Stream stream, const PackedCloudPairs& clouds, const SinkhornSchedule& schedule,
                    EarthMoversDistance* results, std::byte* workspace);

}  // namespace threefold::cuda
