#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/stereo/simd/sweep_kernels.h"
#include "engine/stereo/source_views.h"
#include "engine/stereo/stereo_view.h"

namespace threefold::stereo {

/// Options of sweep(): the depths to compare at, and parameters of the comparison.
struct SweepOptions {
    int labelCount = 0;  ///< number of depths of a pixel, at most 250
    int firstLabel = 0;  ///< label k stands for search depth + (k + firstLabel) · labelSpacing
    double labelParallaxPixels = 1;  ///< approximate parallax of one label in the sources
    /// Number of orientations of planes, 1…5. Copies of the surface at searchDepths are swept as
    /// well.
    int orientationCount = 1;
    int windowRadius = 3;  ///< radius of windows, 1…3 pixels
    float noiseSigma = 2;  ///< noise of the photographs: standard deviation in grey levels
};

/// Matching costs of a view's pixels at each label. Pixels without a search depth have no costs.
struct CostVolume {
    /// Cost if no source shows the point, and maximum cost of a comparison.
    static constexpr std::int16_t kUnknown = 250;
    /// Cost if a source shows background at the point.
    static constexpr std::int16_t kImpossible = 600;
    /// Cost of a correlation of 0, before it is clamped to kUnknown.
    static constexpr std::int16_t kScale = 254;

    int side = 0;
    int labelCount = 0;
    std::size_t stride = 0;  ///< labelCount, padded to simd::kLabelLanes with kImpossible
    std::vector<std::int32_t> costRowOfPixel;  ///< row of each pixel in `cost`; −1: none
    std::vector<std::int16_t> cost;  ///< stride values for each row, in the order of pixels
};

/// Packs pictures for the sweep (simd::PackedPicture), once for all views.
std::vector<std::vector<std::uint32_t>> packedPictures(std::span<const StereoView> views);

/// One reference view, the views to compare it with, and the depths to compare them at.
struct SweepInput {
    std::span<const StereoView> views;
    std::span<const std::vector<std::uint32_t>> packed;  ///< packedPictures(views)
    std::size_t reference;                               ///< index of the reference view
    std::span<const float> searchDepths;  ///< search depth of each pixel of that view; 0: none
    std::span<const SourceView> sources;  ///< selectSourceViews() of that view
    double labelSpacing;                  ///< distance of labels, object units; above 0
};

/// Plane sweep (Collins 1996; Gallup et al. 2007: planes of several orientations): compares windows
/// of the reference view with those of its sources, on planes, and on copies of the surface at
/// searchDepths, shifted along the rays. The score s of an orientation is the mean of the best two
/// normalised cross-correlations over the sources, but at least 0.8 times the best. The cost is 254
/// · (1 − s), with the largest s of all orientations, from 0 to kUnknown. Throws Cancelled.
CostVolume sweep(const SweepInput& input, const SweepOptions& options,
                 const simd::SweepKernels& kernels, const std::stop_token& cancel);

}  // namespace threefold::stereo
