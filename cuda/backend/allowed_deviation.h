#pragma once

#include <span>

#include <glm/vec3.hpp>

#include "cuda/backend/kernel_source.h"
#include "engine/model/model.h"
#include "engine/network/precision.h"

/// Allowed deviation of a GPU's mesh from the processor's float32 mesh, which the device tests
/// (tests/cuda/gpu) and `threefold doctor` share: the deviation in a simulation of the device's
/// rounding (simulated_deviations.h) times a margin. cuda/BENCHMARKS.md has the deviations measured
/// on an H100.
namespace threefold::cuda {

inline constexpr double kTypicalQuantile = 0.995;

/// Quantile (0 to 1; 1: largest) of the distances between corresponding vertices of two meshes. NaN
/// if the counts differ, there are no vertices, or a distance is not finite.
double distanceQuantile(std::span<const glm::vec3> ours, std::span<const glm::vec3> theirs,
                        double quantile);

/// Deviation of a run from the processor's float32 run.
struct Deviation {
    /// Image, maps and features of level 1, relative to the largest magnitude of each tensor.
    double maps;
    /// Coordinates and hidden features of the levels, also relative to the largest magnitude of
    /// each tensor.
    double levels;
    double typicalVertex;  ///< kTypicalQuantile of the refined vertices' distances, object units
    double maxVertex;      ///< largest distance of a refined vertex, object units
    double scorePoints;    ///< difference in F(τ) of the refined mesh, percentage points
};

/// Deviation between a float16 run and the same run with all sums in reverse order, object units:
/// the larger value of the coarse and the refined mesh, for the views of
/// simulated_deviations.inl.
inline constexpr double kTypicalSumOrderDeviation = 4.3e-5;
inline constexpr double kMaxSumOrderDeviation = 8.0e-5;

/// Deviation between a fit by the emulated kernels (products and sums fused) and the processor's
/// fit, object units; measured with real meshes, and with 3 and 8 photographs (cuda/BENCHMARKS.md).
/// A fit is not continuous: if a tangent point matches another vertex, or a level ends a step
/// earlier, two fits diverge to equally good results.
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
/// Minimum of every tolerance, except for F(τ). In float32 the tolerances have this value.
inline constexpr double kMinDeviation = 1e-4;

/// Limits for a device: the simulated deviation times the margins, at least kMinDeviation; for F(τ)
/// the simulated difference plus kScoreMargin. With KernelSource::library, int8 has the limits of
/// float16, since the libraries compute it in float16.
Deviation allowedDeviation(Precision precision, KernelSource kernels, SamplerKind sampler);

}  // namespace threefold::cuda
