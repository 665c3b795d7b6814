#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "cuda/kernels/cloud_pairs.h"
#include "cuda/kernels/device_limits.h"
#include "cuda/portable/function_qualifiers.h"
#include "cuda/runtime/stream.h"

namespace threefold::cuda {

/// dx² + dy² + dz² in float32 with rounded differences and fused sums: within 4 roundings of the
/// exact value wherever the points are, symmetric, and the same bits on every device.
THREEFOLD_HOST_DEVICE float squaredDistance(float ax, float ay, float az, float bx, float by,
                                            float bz) {
    const float dx = ax - bx;
    const float dy = ay - by;
    const float dz = az - bz;
    return fmaf(dz, dz, fmaf(dy, dy, dx * dx));
}

/// Index that the results give for a point without a neighbour.
inline constexpr std::uint32_t kNoPoint = 0xFFFFFFFF;

/// Nearest points: squared distances, and indices within the other cloud of the pair, in device
/// memory.
struct NearestOutput {
    float* firstDistance = nullptr;        ///< (Σ n_i): from `first` to `second`
    std::uint32_t* firstIndex = nullptr;   ///< (Σ n_i)
    float* secondDistance = nullptr;       ///< (Σ m_i): from `second` to `first`
    std::uint32_t* secondIndex = nullptr;  ///< (Σ m_i)
};

/// Bytes of launchNearest()'s workspace; enough for every batch whose counts are at most those of
/// `clouds`.
std::size_t nearestWorkspaceBytes(const PackedCloudPairs& clouds);

/// Finds for each point of either cloud of every pair the nearest point of the other cloud: squared
/// distance and index within that cloud, the lowest index among equals. One launch serves both
/// directions and up to 65535 pairs.
///
/// Exact in float32: differences first, then dx² + dy² + dz² with fused additions, never |a|² +
/// |b|² − 2ab. Gives the same bits on every run and for every shape of the launch.
///
/// A point with a coordinate that is not finite, or whose squared distance overflows, is no
/// neighbour. A point without a neighbour, for instance because the other cloud is empty, gets
/// infinity and kNoPoint.
///
/// `workspace`: nearestWorkspaceBytes() bytes, 8-byte aligned. Set every byte to 0xFF before the
/// first launch (cudaMemsetAsync); each launch leaves every byte at 0xFF. Launches that share a
/// workspace must follow each other.
void launchNearest(Stream stream, const DeviceLimits& limits, const PackedCloudPairs& clouds,
                   const NearestOutput& output, std::byte* workspace);

}  // namespace threefold::cuda
