#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/hull/visual_hull.h"
#include "engine/mesh.h"
#include "engine/network/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/pipeline/fit_request.h"
#include "engine/stereo/depth_surface.h"

namespace threefold {

/// The surface that photographs show, step by step. Meshes are in the reference view's space.
struct PhotographSurface {
    Mesh hull;  ///< with hollows, before depths moved it
    /// None: depths were not tried. Without its mesh, which is Reconstruction::fitted where it was
    /// taken; maps carry the sample's view numbers.
    std::optional<DepthSurface> depth;
    bool depthTaken = false;
    std::string depthProblem;  ///< why depths were refused; empty: taken, or not tried
};

/// The origin of a fitted mesh: network, hull or depth.
FitRequest::From surfaceFrom(const std::optional<PhotographSurface>& surface);

/// How fitFromHull() tells how far it is; all may be empty, and must return quickly.
struct SurfaceProgress {
    std::function<void()> hull = {};                         ///< a hull is carved from now on
    std::function<void(double done)> depth = {};             ///< DepthOptions::progress
    std::function<void(const ViewDepths& depths)> map = {};  ///< DepthOptions::map, by view number
};

/// Replaces the network's fitted mesh by the photographs' visual hull where `from` asks for that
/// (METHOD.md §7b). Call after fitReconstruction(). The hull has `options.vertices` vertices, or
/// kHullVertices for 0, and any topology.
///
/// - hull: with the hollows that the fitted mesh shows. silhouettes: without hollows.
/// - depth: as hull, then moved to where the photographs agree (depthSurface()).
/// - automatic: as depth, from kFewestForHull used photographs on, if the hull of two thirds of
///   them overlaps the masks of the other third at most 0.02 less than the network's mesh does.
/// - network: nothing.
///
/// Changes `reconstruction.fitted`, its faces, and all in `result` that depends on the mesh; adds
/// the verdict to `result.notes`. Returns none where the network's mesh stays. Throws as
/// fitReconstruction().
std::optional<PhotographSurface> fitFromHull(Reconstruction& reconstruction, const Camera& space,
                                             std::span<const MaskedView> photographs,
                                             FitRequest::From from, const FitOptions& options,
                                             MeshOperations* device, FitResult& result,
                                             const SurfaceProgress& progress = {});

}  // namespace threefold
