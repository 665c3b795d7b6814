#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/mesh.h"
#include "engine/views/masked_view.h"

/// Depth from photographs: the surface that outlines cannot show (METHOD.md §7c).
namespace threefold {

/// Fewest photographs in which depths can be found and checked.
inline constexpr std::size_t kFewestForDepth = 4;

/// One photograph's depth map.
struct ViewDepths {
    int view = 0;              ///< MaskedView::view
    int side = 0;              ///< pixels; the picture shows as much as the photograph
    std::vector<float> depth;  ///< along the viewing direction, object units; 0: none
};

struct DepthOptions {
    std::size_t vertices = 10'000;
    int threads = 0;  ///< 0: all that the process may use
    std::stop_token cancel;
    /// Outside of how many silhouettes a point of the object may lie (HullResult::tolerated).
    std::size_t tolerated = 0;
    bool always = false;  ///< take the depths even where too few of them are strong
    /// Instructions of the sweep: "avx512", "avx2", "portable"; empty: the fastest.
    std::string_view instructions;
    /// Called as depth maps are made, by one thread at a time, and at the end; rises from 0 to 1.
    std::function<void(double done)> progress = {};
    /// Called with each depth map as it is made, twice for each view, likewise; not yet compared
    /// with those of other views.
    std::function<void(const ViewDepths& depths)> map = {};
};

/// Milliseconds of a step.
struct DepthStepTime {
    std::string_view step;
    double milliseconds = 0;
};

struct DepthSurface {
    Mesh mesh;  ///< world space; closed, oriented, 2-manifold; empty: the start is better
    /// Share of the object's pixels whose depth is sure: agrees with other views and stands out.
    double sure = 0;
    double strong = 0;             ///< share of the sure depths that stand out far
    std::vector<ViewDepths> maps;  ///< of the views in their order, with the sure depths
    std::vector<DepthStepTime> times;
    double milliseconds = 0;
};

/// Moves the surface of a start mesh, such as the visual hull with hollows, to where photographs
/// agree: plane sweeps inwards from the silhouettes' surface, semi-global matching, agreement
/// between the views, fusion as a truncated signed distance with the start as a weak prior, total
/// variation, and the silhouettes' field as an upper bound. `start` is closed and in world space.
/// Where few depths are strong the start stays: as a whole below a quarter of them, and locally,
/// down to parts that are thinner than the lattice's spacing.
/// `views` have masks and photographs, and cameras in world space.
/// The same bits with any number of threads. Throws InputError (fewer than kFewestForDepth views, a
/// start without faces, unknown instructions); Cancelled, within 100 ms of the request.
DepthSurface depthSurface(const Mesh& start, std::span<const MaskedView* const> views,
                          const DepthOptions& options);

}  // namespace threefold
