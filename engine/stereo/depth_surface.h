#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/hull/visual_hull.h"
#include "engine/mesh.h"
#include "engine/profile/step_timer.h"
#include "engine/views/masked_view.h"

/// Depth from photographs: surfaces that outlines cannot show (METHOD.md §7c).
namespace threefold {

/// Minimum number of photographs with which depths can be found and checked.
inline constexpr std::size_t kMinPhotographsForDepth = 4;

/// Depth map of one photograph, for display: unlike stereo::DepthMap, without scores.
struct ViewDepthMap {
    int view = 0;              ///< MaskedView::view
    int side = 0;              ///< pixels; shows the same section as the photograph
    std::vector<float> depth;  ///< along the viewing direction, object units; 0: none
};

/// Options of depthSurface().
struct DepthOptions {
    std::size_t vertices = kDefaultHullVertices;
    int threads = 0;  ///< 0: all available
    std::stop_token cancel;
    /// Maximum number of silhouettes that a point of the object may lie outside of
    /// (HullResult::toleratedCount).
    std::size_t toleratedCount = 0;
    std::optional<double> baseHeight;  ///< HullResult::baseHeight
    /// The start mesh with hollows that no outline shows: closed, in world space, within the start
    /// mesh. The hollows are kept where the photographs do not contradict them. Null: none.
    const Mesh* startMeshWithHollows = nullptr;
    bool useWeakDepths = false;  ///< use the depths even if too few are strong
    /// Instruction set of the sweep: "avx512", "avx2", "portable"; empty: the fastest.
    std::string_view instructions;
    /// Progress from 0 to 1: called after each depth map and at the end, on one thread at a time.
    std::function<void(double fraction)> progress = {};
    /// Called with each finished depth map, twice for each view, on one thread at a time;
    /// the map is not yet checked against other views.
    std::function<void(const ViewDepthMap& depths)> onMap = {};
};

/// Result of depthSurface().
struct DepthSurface {
    Mesh mesh;  ///< world space; closed, oriented, 2-manifold; empty: the start mesh is better
    /// Fraction of the object's pixels whose depth is sure: agrees with other views and has a
    /// sufficient margin.
    double sureFraction = 0;
    /// Fraction of the sure depths that are strong: have a large margin.
    double strongFraction = 0;
    std::vector<ViewDepthMap> maps;  ///< sure depths of each view, in the order of the views
    std::vector<StepTime> times;     ///< times of the steps, in order
    double milliseconds = 0;
};

/// Moves the surface of a start mesh, such as the visual hull, to where photographs agree. Steps:
/// plane sweeps inwards from the silhouettes' surface, semi-global matching, agreement between the
/// views, fusion as a truncated signed distance with the start mesh as a weak prior, total
/// variation, and clipping to the silhouettes, which the surface never leaves. If fewer than a
/// quarter of the depths are strong, the mesh is empty. Where few depths are strong, and in parts
/// thinner than the grid's spacing, the surface stays that of `start`. `start`: closed, in world
/// space. `views`: with masks, photographs, and cameras in world space. The result does not depend
/// on the number of threads. Throws InputError (fewer than kMinPhotographsForDepth views, a start
/// mesh without faces, unknown instructions); Cancelled, soon after the request.
DepthSurface depthSurface(const Mesh& start, std::span<const MaskedView* const> views,
                          const DepthOptions& options);

}  // namespace threefold
