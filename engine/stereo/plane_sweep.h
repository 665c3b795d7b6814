#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/simd/sweep_kernels.h"
#include "engine/stereo/stereo_view.h"

namespace threefold::stereo {

/// Depths that a sweep tries, and how it compares photographs there.
struct SweepOptions {
    int labels = 0;      ///< depths of a pixel, at most 250
    int firstLabel = 0;  ///< label k stands for base + (k + firstLabel) · step
    double pixels = 1;   ///< parallax of a step in the sources, about
    int slants = 1;      ///< orientations of planes, 1…5, beside that of the base surface
    int radius = 3;      ///< of windows, in pixels, 1…3
    float noise = 2;     ///< of the photographs, standard deviation in grey levels
};

/// The costs of a view's pixels at each label. Pixels without a base depth have none.
struct CostVolume {
    static constexpr std::int16_t kUnknown = 250;     ///< no source shows the point
    static constexpr std::int16_t kImpossible = 600;  ///< a source shows background there
    static constexpr std::int16_t kDearest = 254;     ///< of a comparison: correlation 0 or less

    int side = 0;
    int labels = 0;
    std::size_t stride = 0;            ///< labels, padded to simd::kLabelLanes with kImpossible
    std::vector<std::int32_t> number;  ///< of each pixel among those with costs; −1: none
    std::vector<std::int16_t> cost;    ///< stride values for each of them, in the pixels' order
};

/// Up to `most` other views whose directions from `centre` differ by 6° to 65°, the nearest first.
struct Source {
    std::size_t view;
    double degrees;
};
std::vector<Source> sourcesOf(std::span<const StereoView> views, std::size_t reference,
                              const glm::dvec3& centre, std::size_t most);

/// Pictures as the sweep reads them, packed once for all views (simd::PackedPicture).
std::vector<std::vector<std::uint32_t>> packedPictures(std::span<const StereoView> views);

/// The depth that changes the place of a point in the sources by `pixels`.
double depthStep(const StereoView& reference, std::span<const float> base,
                 std::span<const Source> sources, double pixels);

/// Plane sweep (Collins 1996; Gallup et al. 2007: planes of several orientations): compares windows
/// of the reference view with those of its sources, on planes through space and on surfaces beside
/// the base one. The cost is 254 · (1 − s), at least 0, where s is the mean of the best two
/// normalised cross-correlations over the sources, at least 0.8 times the best one, the largest
/// over the orientations. `base`: a depth for each pixel, 0: none. Throws Cancelled.
CostVolume sweep(std::span<const StereoView> views,
                 std::span<const std::vector<std::uint32_t>> packed, std::size_t reference,
                 std::span<const float> base, std::span<const Source> sources, double step,
                 const SweepOptions& options, const simd::SweepKernels& kernels,
                 const std::stop_token& cancel);

}  // namespace threefold::stereo
