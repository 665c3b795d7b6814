#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/mesh.h"
#include "engine/stereo/plane_sweep.h"
#include "engine/stereo/semi_global.h"
#include "engine/stereo/stereo_view.h"

namespace threefold::stereo {

/// Depth map of one view with the scores of matching, not yet checked against other views. Arrays
/// of side · side.
struct DepthMap {
    std::vector<float> searchDepth;  ///< depth of the surface to search around; 0: none
    std::vector<float> depth;        ///< 0: none
    std::vector<float> score;        ///< correlation with the sources, 0…1
    std::vector<float> margin;       ///< Labelling::margin
    /// Distance of labels, object units; 0: the view has no sources, or no depth to search around.
    float labelSpacing = 0;
};

/// Agreement of a view's depths with those of the other views, for each pixel.
struct ViewSupport {
    std::vector<std::uint16_t> supportingCount;          ///< views with a matching depth
    std::vector<std::uint16_t> freeSpaceViolationCount;  ///< views that see through the point
};

/// Views, with the depth map of each and the support that it has from the other maps.
struct MatchedViews {
    std::span<const StereoView> views;
    std::span<const DepthMap> maps;
    std::span<const ViewSupport> support;
};

/// Options of one round of matching.
struct StereoMatchOptions {
    SweepOptions sweep;
    std::size_t maxSources = 5;  ///< maximum number of views that each view is compared with
    SmoothnessOptions smoothness;
};

/// Computes depth maps of all views around the visible part of `surface`, given in world space.
/// Calls `onMap`, unless empty, with each finished map, on one thread at a time. The result does
/// not depend on the number of threads. Throws Cancelled, and what rasterize() throws.
std::vector<DepthMap> depthMaps(
    std::span<const StereoView> views, const Mesh& surface, const StereoMatchOptions& options,
    const simd::SweepKernels& kernels, int threads, const std::stop_token& cancel,
    const std::function<void(std::size_t view, const DepthMap& map)>& onMap = {});

/// Compares each depth with the other views' maps. A depth agrees with another map if one of the
/// 3×3 pixels around its projection there has a depth that differs by less than this view's label
/// spacing.
std::vector<ViewSupport> viewSupports(std::span<const StereoView> views,
                                      std::span<const DepthMap> maps, int threads,
                                      const std::stop_token& cancel);

}  // namespace threefold::stereo
