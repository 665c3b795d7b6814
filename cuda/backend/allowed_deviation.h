#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "cuda/backend/kernel_source.h"
#include "cuda/kernels/element.h"
#include "engine/model/model.h"
#include "engine/network/precision.h"

/// Allowed deviation of a GPU's mesh from the processor's float32 mesh: one table for the device
/// tests (tests/cuda/gpu) and for `threefold doctor`.
///
/// The figures come from a simulation of the device's rounding at full size
/// (tests/cuda/simulation): the largest over the bundled plane, chair and car. A test fails where
/// the simulation exceeds them. A device may deviate by these figures times a margin. Measured on
/// an H100: cuda/BENCHMARKS.md.
namespace threefold::cuda {

inline constexpr double kTypicalQuantile = 0.995;

/// Quantile (0 to 1; 1: largest) of the distances between corresponding vertices of two meshes. NaN
/// if the counts differ, there are no vertices, or a distance is not finite.
inline double distanceQuantile(std::span<const glm::vec3> ours, std::span<const glm::vec3> theirs,
                               double quantile) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (ours.size() != theirs.size() || ours.empty()) return kNone;
    std::vector<double> distances;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        distances.push_back(glm::distance(ours[i], theirs[i]));
        if (!std::isfinite(distances.back())) return kNone;
    }
    const auto nth = distances.begin() + static_cast<std::ptrdiff_t>(
                                             quantile * static_cast<double>(distances.size() - 1));
    std::nth_element(distances.begin(), nth, distances.end());
    return *nth;
}

/// Deviation of a run from the processor's, in float32.
struct Deviation {
    /// Image, maps and features of level 1, relative to the largest magnitude of each tensor.
    double maps;
    /// Coordinates and hidden features of the levels, relative in the same way.
    double levels;
    double typicalVertex;  ///< kTypicalQuantile of the refined vertices' distances, object units
    double maxVertex;      ///< largest distance of a refined vertex, object units
    double scorePoints;    ///< difference in F(τ) of the refined mesh, percentage points
};

/// Simulated deviation of one configuration.
struct SimulatedDeviation {
    Precision precision;
    KernelSource kernels;
    SamplerKind sampler;
    Deviation deviation;
};

// clang-format off
/// Output of `threefold_cuda_simulation`, rounded up. float32: sums in reverse order; all others: in
/// the order of the AVX2 code. tfloat32: the worse of rounding and truncating operands, since
/// NVIDIA's libraries may do either. nearest-first truncates pixels: a point that rounding moves
/// across a texel's edge reads other features and drags its neighbours along. Views 0, 6 and 7;
/// float32 and float16 with bilinear-each also use two other sets of views.
inline constexpr SimulatedDeviation kSimulatedDeviations[] = {
 // maps levels typical max score
{Precision::float32, KernelSource::fused, SamplerKind::bilinearPerView, {1.2e-6, 3.7e-6, 7.1e-7, 1.2e-6, 0.00}},
{Precision::tfloat32, KernelSource::fused, SamplerKind::bilinearPerView, {4.3e-3, 2.6e-3, 1.7e-3, 2.3e-3, 0.05}},
{Precision::float16, KernelSource::fused, SamplerKind::bilinearPerView, {1.5e-3, 4.4e-4, 1.5e-4, 4.9e-4, 0.04}},
{Precision::bfloat16, KernelSource::fused, SamplerKind::bilinearPerView, {1.6e-2, 5.9e-3, 3.1e-3, 3.5e-3, 0.09}},
{Precision::int8, KernelSource::fused, SamplerKind::bilinearPerView, {1.5e-3, 4.4e-4, 2.3e-4, 2.9e-4, 0.05}},
{Precision::float32, KernelSource::library, SamplerKind::bilinearPerView, {1.2e-6, 3.7e-6, 7.1e-7, 1.2e-6, 0.00}},
{Precision::tfloat32, KernelSource::library, SamplerKind::bilinearPerView, {4.3e-3, 3.3e-3, 2.2e-3, 5.2e-3, 0.23}},
{Precision::float16, KernelSource::library, SamplerKind::bilinearPerView, {1.5e-3, 2.7e-3, 8.0e-4, 2.4e-3, 0.11}},
{Precision::bfloat16, KernelSource::library, SamplerKind::bilinearPerView, {1.6e-2, 1.2e-2, 3.5e-3, 4.7e-3, 0.05}},
{Precision::float32, KernelSource::fused, SamplerKind::nearestInFirstView, {1.3e-6, 2.3e-6, 4.9e-7, 6.3e-7, 0.00}},
{Precision::tfloat32, KernelSource::fused, SamplerKind::nearestInFirstView, {6.4e-3, 1.6e-2, 4.3e-3, 6.9e-3, 0.23}},
{Precision::float16, KernelSource::fused, SamplerKind::nearestInFirstView, {1.9e-3, 1.2e-2, 7.0e-4, 1.4e-3, 0.06}},
{Precision::bfloat16, KernelSource::fused, SamplerKind::nearestInFirstView, {1.5e-2, 4.7e-2, 3.6e-3, 5.1e-3, 0.33}},
{Precision::int8, KernelSource::fused, SamplerKind::nearestInFirstView, {1.9e-3, 1.2e-2, 7.0e-4, 1.5e-3, 0.10}},
{Precision::float32, KernelSource::library, SamplerKind::nearestInFirstView, {1.3e-6, 2.3e-6, 4.9e-7, 6.3e-7, 0.00}},
{Precision::tfloat32, KernelSource::library, SamplerKind::nearestInFirstView, {6.4e-3, 1.2e-2, 4.3e-3, 6.9e-3, 0.06}},
{Precision::float16, KernelSource::library, SamplerKind::nearestInFirstView, {1.9e-3, 1.1e-2, 1.2e-3, 2.2e-3, 0.15}},
{Precision::bfloat16, KernelSource::library, SamplerKind::nearestInFirstView, {1.5e-2, 4.7e-2, 6.2e-3, 9.2e-3, 0.27}},
};
// clang-format on

/// Deviation between a float16 run and the same run with all sums in reverse order, object units:
/// the larger value of the coarse and the refined mesh, for the views of kSimulatedDeviations.
inline constexpr double kTypicalSumOrderDeviation = 4.3e-5;
inline constexpr double kMaxSumOrderDeviation = 8.0e-5;

/// Deviation between a fit by the emulated kernels (products and sums fused) and the processor's
/// fit, object units: real meshes, 3 and 8 photographs (cuda/BENCHMARKS.md). A fit is not
/// continuous: if a tangent point matches another vertex, or a level ends a step earlier, two fits
/// diverge to equally good results.
inline constexpr double kMaxFitDeviation = 0.058;
inline constexpr double kFitScoreDeviation = 2.32;  ///< F(τ), percentage points

/// Margin for effects outside the simulation: the order of sums, the library's choice of
/// algorithms, the device's exponential and square root. From 1.9 on the check would, with the
/// bundled weights, also accept graph blocks that round their operands to one 16-bit part, not to
/// two (BENCHMARKS.md: "rounding once").
inline constexpr double kDeviationMargin = 1.8;
/// Margin for single vertices, which may be at a discontinuity of the method.
inline constexpr double kMaxVertexMargin = 4;
/// Margin for vertices that cross τ by chance, in either direction; percentage points.
inline constexpr double kScoreMargin = 0.075;
/// Minimum of every tolerance; the tolerance of float32.
inline constexpr double kMinDeviation = 1e-4;

/// Table row of a configuration; null if there is none. The libraries compute 8 bit as float16.
constexpr const SimulatedDeviation* findSimulatedDeviation(Precision precision,
                                                           KernelSource kernels,
                                                           SamplerKind sampler) {
    if (kernels == KernelSource::library) precision = precisionOutsideHypothesisBlocks(precision);
    const auto* row = std::find_if(std::begin(kSimulatedDeviations), std::end(kSimulatedDeviations),
                                   [&](const auto& entry) {
                                       return entry.precision == precision &&
                                              entry.kernels == kernels && entry.sampler == sampler;
                                   });
    return row == std::end(kSimulatedDeviations) ? nullptr : row;
}

constexpr bool everyConfigurationHasARow() {
    for (const Precision precision : kAllPrecisions)
        for (const KernelSource kernels : {KernelSource::fused, KernelSource::library})
            for (const SamplerKind sampler :
                 {SamplerKind::bilinearPerView, SamplerKind::nearestInFirstView})
                if (!findSimulatedDeviation(precision, kernels, sampler)) return false;
    return true;
}
static_assert(everyConfigurationHasARow());

constexpr Deviation simulatedDeviation(Precision precision, KernelSource kernels,
                                       SamplerKind sampler) {
    return findSimulatedDeviation(precision, kernels, sampler)->deviation;
}

constexpr Deviation allowedDeviation(Precision precision, KernelSource kernels,
                                     SamplerKind sampler) {
    const Deviation simulated = simulatedDeviation(precision, kernels, sampler);
    const auto allowed = [](double value, double margin) {
        return std::max(margin * value, kMinDeviation);
    };
    return {allowed(simulated.maps, kDeviationMargin), allowed(simulated.levels, kDeviationMargin),
            allowed(simulated.typicalVertex, kDeviationMargin),
            allowed(simulated.maxVertex, kMaxVertexMargin), simulated.scorePoints + kScoreMargin};
}

}  // namespace threefold::cuda
