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

#include "cuda/kernels/element.h"
#include "engine/model/model.h"
#include "engine/network/backend.h"

/// How far a mesh from a GPU may lie from the processor's in float32: one table for the tests on a
/// device (tests/cuda/gpu) and for `threefold doctor`.
///
/// Its figures come from a simulation of the device's rounding at full size
/// (tests/cuda/simulation), are the largest over the bundled plane, chair and car, and a test fails
/// where the simulation exceeds them. What a device is allowed is that times a margin. Measured on
/// an H100: BENCHMARKS.md.
namespace threefold::cuda {

inline constexpr double kUsualShare = 0.995;

/// The distance that `share` of two meshes' vertices keep, each to the one it belongs to: 1 is the
/// furthest. NaN where they differ in number, there is none, or one is not finite.
inline double distanceKept(std::span<const glm::vec3> ours, std::span<const glm::vec3> theirs,
                           double share) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (ours.size() != theirs.size() || ours.empty()) return kNone;
    std::vector<double> distances;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        distances.push_back(glm::distance(ours[i], theirs[i]));
        if (!std::isfinite(distances.back())) return kNone;
    }
    const auto place = distances.begin() + static_cast<std::ptrdiff_t>(
                                               share * static_cast<double>(distances.size() - 1));
    std::nth_element(distances.begin(), place, distances.end());
    return *place;
}

struct Deviation {
    /// Of every value between the steps, relative to the largest magnitude of its tensor: image,
    /// maps, features of level 1 …
    double maps;
    /// … and coordinates and hidden features of the levels.
    double levels;
    double usual;     ///< distance that kUsualShare of the refined vertices keep, object units
    double furthest;  ///< of any refined vertex, object units
    double score;     ///< F(τ) of the refined mesh, percentage points
};

struct SimulatedDeviation {
    Precision precision;
    bool library;  ///< graph and hypothesis blocks by NVIDIA's libraries, not by our kernels
    SamplerKind sampler;
    Deviation largest;
};

// clang-format off
/// What `threefold_cuda_simulation` prints, rounded up. float32: sums added up backward. tfloat32:
/// the worse of NVIDIA's libraries rounding operands and cutting them off. nearest-first truncates
/// pixels: a point that rounding moves over a texel's edge reads other features, and takes its
/// surroundings along. Views 0, 6 and 7; of float32 and float16 with bilinear-each also two pairs of
/// others. Sums in the order of AVX2.
inline constexpr SimulatedDeviation kSimulatedDeviations[] = {
    //                                                             maps    levels  usual   furthest score
    {Precision::float32,  false, SamplerKind::bilinearEach, {1.2e-6, 3.4e-6, 6.3e-7, 2.1e-6, 0.00}},
    {Precision::tfloat32, false, SamplerKind::bilinearEach, {2.9e-3, 8.5e-4, 5.0e-4, 7.3e-4, 0.08}},
    {Precision::float16,  false, SamplerKind::bilinearEach, {8.2e-4, 3.7e-4, 7.6e-5, 1.4e-4, 0.03}},
    {Precision::bfloat16, false, SamplerKind::bilinearEach, {5.9e-3, 1.7e-2, 4.4e-3, 7.5e-3, 0.17}},
    {Precision::int8,     false, SamplerKind::bilinearEach, {8.2e-4, 3.7e-4, 2.1e-4, 2.9e-4, 0.10}},
    {Precision::float32,  true,  SamplerKind::bilinearEach, {1.2e-6, 3.4e-6, 6.3e-7, 2.1e-6, 0.00}},
    {Precision::tfloat32, true,  SamplerKind::bilinearEach, {2.9e-3, 3.8e-3, 2.3e-3, 4.4e-3, 0.33}},
    {Precision::float16,  true,  SamplerKind::bilinearEach, {8.2e-4, 1.5e-3, 3.9e-4, 5.6e-4, 0.06}},
    {Precision::bfloat16, true,  SamplerKind::bilinearEach, {5.9e-3, 2.4e-2, 6.1e-3, 8.3e-3, 0.27}},
    {Precision::float32,  false, SamplerKind::nearestFirst, {1.4e-6, 2.4e-6, 6.1e-7, 7.3e-7, 0.00}},
    {Precision::tfloat32, false, SamplerKind::nearestFirst, {6.5e-3, 1.4e-2, 1.5e-3, 2.0e-3, 0.03}},
    {Precision::float16,  false, SamplerKind::nearestFirst, {2.1e-3, 9.0e-3, 9.5e-4, 2.0e-3, 0.09}},
    {Precision::bfloat16, false, SamplerKind::nearestFirst, {7.1e-3, 3.2e-2, 5.4e-3, 7.5e-3, 0.04}},
    {Precision::int8,     false, SamplerKind::nearestFirst, {2.1e-3, 9.0e-3, 9.7e-4, 2.1e-3, 0.10}},
    {Precision::float32,  true,  SamplerKind::nearestFirst, {1.4e-6, 2.4e-6, 6.1e-7, 7.3e-7, 0.00}},
    {Precision::tfloat32, true,  SamplerKind::nearestFirst, {6.5e-3, 1.6e-2, 2.4e-3, 4.2e-3, 0.33}},
    {Precision::float16,  true,  SamplerKind::nearestFirst, {2.1e-3, 1.5e-2, 1.1e-3, 2.1e-3, 0.03}},
    {Precision::bfloat16, true,  SamplerKind::nearestFirst, {7.1e-3, 2.7e-2, 6.0e-3, 7.1e-3, 0.20}},
};
// clang-format on

/// Between two runs in float16 of which one adds up backward, coarse or refined; the same views.
inline constexpr double kUsualBetweenOrders = 2.8e-5;
inline constexpr double kFurthestBetweenOrders = 5.2e-5;

/// Between a fit by the emulated kernels with products and sums fused and the processor's, object
/// units: real meshes, 3 and 8 photographs (BENCHMARKS.md). A fit is not continuous: where a place
/// draws another vertex, or a level ends a step earlier, two fits go ways of their own, to as good
/// an end.
inline constexpr double kFurthestBetweenFits = 0.058;
inline constexpr double kScoreBetweenFits = 2.32;  ///< F(τ), percentage points

/// Half of what is allowed is for what the simulation leaves out: the order of sums, the library's
/// choice of algorithms, the device's own exponential and square root.
inline constexpr double kDeviationMargin = 2;
/// A single vertex may be at an edge where the method is not continuous.
inline constexpr double kFurthestMargin = 4;
/// Percentage points: eight of 2466 vertices that cross τ. Which ones do so is chance.
inline constexpr double kScoreMargin = 0.075;
/// Nothing is held to less than this, which is what float32 itself is held to.
inline constexpr double kLeastDeviation = 1e-4;

/// 8 bit by the libraries is float16.
constexpr Deviation simulatedDeviation(Precision precision, bool library, SamplerKind sampler) {
    if (library) precision = widePrecision(precision);
    const auto* row = std::find_if(std::begin(kSimulatedDeviations), std::end(kSimulatedDeviations),
                                   [&](const auto& each) {
                                       return each.precision == precision &&
                                              each.library == library && each.sampler == sampler;
                                   });
    return row->largest;
}

constexpr Deviation allowedDeviation(Precision precision, bool library, SamplerKind sampler) {
    const Deviation simulated = simulatedDeviation(precision, library, sampler);
    const auto allowed = [](double value, double margin) {
        return std::max(margin * value, kLeastDeviation);
    };
    return {allowed(simulated.maps, kDeviationMargin), allowed(simulated.levels, kDeviationMargin),
            allowed(simulated.usual, kDeviationMargin),
            allowed(simulated.furthest, kFurthestMargin), simulated.score + kScoreMargin};
}

}  // namespace threefold::cuda
