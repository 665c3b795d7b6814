#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "cuda/kernels/device_limits.h"
#include "cuda/portable/function_qualifiers.h"
#include "cuda/runtime/stream.h"
#include "engine/measures/matching.h"

namespace threefold::cuda {

/// Batch of pairs of clouds of any sizes, points packed one cloud after another. All pointers are
/// device memory. The counts set the grid and must agree with the data.
struct PackedCloudPairs {
    const float* first = nullptr;                  ///< (Σ n_i, 3)
    const float* second = nullptr;                 ///< (Σ m_i, 3)
    const std::uint32_t* firstOffsets = nullptr;   ///< (pairs + 1), from 0
    const std::uint32_t* secondOffsets = nullptr;  ///< (pairs + 1), from 0
    int pairs = 0;
    std::uint32_t firstPointCount = 0;   ///< Σ n_i
    std::uint32_t secondPointCount = 0;  ///< Σ m_i
    std::uint32_t maxFirstCount = 0;     ///< largest n_i
    std::uint32_t maxSecondCount = 0;    ///< largest m_i
};

/// dx² + dy² + dz² in float32 with rounded differences and fused sums: within 4 roundings of the
/// exact value wherever the points are, symmetric, and the same bits on every device.
THREEFOLD_HOST_DEVICE float squaredDistance(float ax, float ay, float az, float bx, float by,
                                            float bz) {
    const float dx = ax - bx;
    const float dy = ay - by;
    const float dz = az - bz;
    return fmaf(dz, dz, fmaf(dy, dy, dx * dx));
}

/// Index of a point without nearest neighbour.
inline constexpr std::uint32_t kNoPoint = 0xFFFFFFFF;

/// Squared distances and indices within the other cloud of the pair, in device memory.
struct NearestOutput {
    float* firstDistance = nullptr;        ///< (Σ n_i): from `first` to `second`
    std::uint32_t* firstIndex = nullptr;   ///< (Σ n_i)
    float* secondDistance = nullptr;       ///< (Σ m_i): from `second` to `first`
    std::uint32_t* secondIndex = nullptr;  ///< (Σ m_i)
};

/// Bytes of the workspace of launchNearest(), for batches no larger in any count.
std::size_t nearestWorkspace(const PackedCloudPairs& clouds);

/// Finds for each point of either cloud of every pair the nearest point of the other cloud: squared
/// distance and index within that cloud, the lowest index among equals. One launch serves both
/// directions and the whole batch.
///
/// Exact in float32: differences first, then dx² + dy² + dz² with fused additions, never |a|² +
/// |b|² − 2ab. The same bits on every run and for every shape of the launch.
///
/// A point with a coordinate that is not finite, or whose squared distance overflows, is no
/// neighbour. A point without neighbour, as when the other cloud is empty, gets infinity and
/// kNoPoint.
///
/// `workspace`: nearestWorkspace() bytes, 8-byte aligned, every byte 0xFF before its first use
/// (cudaMemsetAsync); each launch leaves it so. Launches that share it follow each other.
void launchNearest(Stream stream, const DeviceLimits& limits, const PackedCloudPairs& clouds,
                   const NearestOutput& output, std::byte* workspace);

/// Bytes of the workspace of launchMatching(), for batches no larger in any count.
std::size_t matchingWorkspace(const PackedCloudPairs& clouds);

/// Earth mover's matching of every pair of a batch: steps 1 to 4 of the definition in METHOD.md §9
/// (convergedDistances() adds step 5), for any n and m. One launch per half step for the whole
/// batch (485 with the default schedule), O(n·m) operations and O(n + m) memory; each launch
/// computes the distances anew. Sums have a fixed order: the same bits on every run,
/// and for a pair alone as within a batch. Roots and powers of two are the device's fast ones,
/// accurate to 2e-7.
///
/// `results` (pairs), in device memory. Cost and bound are NaN where a cloud is empty or a
/// coordinate is not finite: callers with the points at hand call requireMatchable() first.
/// `workspace`: matchingWorkspace() bytes, 256-byte aligned, with any contents. Throws InputError
/// where the schedule cannot be run.
void launchMatching(Stream stream, const PackedCloudPairs& clouds, const SinkhornSchedule& schedule,
                    EarthMoversDistance* results, std::byte* workspace);

}  // namespace threefold::cuda
