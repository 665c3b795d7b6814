#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/hull/visual_hull.h"
#include "engine/mesh.h"
#include "engine/metrics/measures.h"
#include "engine/pipeline/fit_sample.h"
#include "engine/stereo/depth_surface.h"

namespace threefold {

struct SampleJob;

/// The visual hull of a sample's photographs, a mesh of its own beside the network's.
struct SampleHull {
    Mesh mesh;                        ///< in the reference view's space, as the other meshes
    std::size_t views = 0;            ///< that it was carved from
    double overlap = 0;               ///< with their masks: intersection over union, mean, 0…1
    std::optional<Measures> against;  ///< the truth, published protocol; where there is one
    std::vector<int> leftOut;
    std::vector<std::string> notes;
    double milliseconds = 0;  ///< of carving, without reading the photographs
};

/// Views of the photographs, which outlive them.
std::vector<HullView> hullViews(std::span<const FitView> photographs);

/// Carves all usable photographs of the sample, at their own resolution, into a mesh of about
/// `vertices`. After readSample(). Throws what loadFitViews() and visualHull() throw.
SampleHull hullOf(const SampleJob& job, std::size_t vertices, int threads,
                  const std::stop_token& cancel);

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
