#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/hull/visual_hull.h"
#include "engine/mesh.h"
#include "engine/network/backend.h"
#include "engine/network/reconstruction.h"
#include "engine/pipeline/fit_views.h"
#include "engine/stereo/depth_surface.h"

namespace threefold {

/// Views of the photographs, which outlive them.
std::vector<HullView> hullViews(std::span<const FitView> photographs);

/// The surface that photographs show, step by step. Meshes are in the reference view's space.
struct PhotographSurface {
    Mesh hull;                          ///< with hollows, before depths moved it
    std::optional<DepthSurface> depth;  ///< none: not looked for. Without its mesh, which is
                                        ///< `fitted` where it was taken; maps by the views' numbers
    bool depthTaken = false;
    std::string
        depthProblem;  ///< why the depths were not taken; empty: they were, or not looked for
};

/// The origin of a fitted mesh: network, hull or depth.
FitViews::From surfaceFrom(const std::optional<PhotographSurface>& surface);

/// How fitFromHull() tells how far it is; all may be empty, and must return quickly.
struct SurfaceProgress {
    std::function<void()> hull = {};                         ///< a hull is carved from now on
    std::function<void(double done)> depth = {};             ///< DepthOptions::progress
    std::function<void(const ViewDepths& depths)> map = {};  ///< DepthOptions::map, by view number
};

/// After fitReconstruction(): puts the photographs' hull (engine/hull) with the hollows of the
/// network's fitted mesh in that mesh's place: of any topology, with 10 000 vertices (METHOD.md
/// §7b).
///
/// `from` hull: wherever the masks have a hull. silhouettes: likewise, without hollows. automatic:
/// where kFewestForHull photographs or more are used, and the hull of two thirds of them agrees as
/// well with the others as the network's mesh does that is fitted to the same, or to all. Else
/// nothing.
/// Changes `reconstruction.fitted` and its faces, and in `result` what depends on the mesh;
/// `result.notes` gives the verdict. Returns none where the network's mesh stays. Throws as
/// fitReconstruction() does.
std::optional<PhotographSurface> fitFromHull(Reconstruction& reconstruction, const Camera& space,
                                             std::span<const FitView> photographs,
                                             FitViews::From from, const FitOptions& options,
                                             Backend* backend, FitResult& result,
                                             const SurfaceProgress& progress = {});

}  // namespace threefold
