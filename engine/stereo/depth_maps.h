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

/// The surface that one view sees, by its comparison with others. Arrays of side · side.
struct DepthMap {
    std::vector<float> base;    ///< depth of the surface that the search began from; 0: none
    std::vector<float> depth;   ///< 0: none
    std::vector<float> score;   ///< correlation with the sources, 0…1
    std::vector<float> margin;  ///< Labelling::margin
    float step = 0;             ///< between labels, in object units; 0: the view has no sources
};

/// How the other views' depths agree with a view's.
struct Agreement {
    std::vector<std::uint8_t> agreeing;  ///< views with such a depth there
    std::vector<std::uint8_t> opposing;  ///< views that see through the point
};

/// One round of matching.
struct MatchOptions {
    SweepOptions sweep;
    std::size_t sources = 5;
    int p1 = 12;
    int p2 = 60;
};

/// Depth maps of all views around the visible part of `surface`, which is in world space. `made`
/// may be empty; else each map is handed to it, by one thread at a time. The same with any number
/// of threads. Throws Cancelled, and as rasterize().
std::vector<DepthMap> depthMaps(
    std::span<const StereoView> views, const Mesh& surface, const MatchOptions& options,
    const simd::SweepKernels& kernels, int threads, const std::stop_token& cancel,
    const std::function<void(std::size_t view, const DepthMap& map)>& made = {});

/// A depth agrees where it differs by less than the map's step within 3×3 pixels.
std::vector<Agreement> agreementOf(std::span<const StereoView> views,
                                   std::span<const DepthMap> maps, int threads,
                                   const std::stop_token& cancel);

}  // namespace threefold::stereo
