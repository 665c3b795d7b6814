#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/fitting/fit_steps.h"
#include "engine/fitting/mesh_levels.h"
#include "engine/mesh.h"
#include "engine/metrics/silhouette.h"
#include "engine/views/masked_view.h"

/// Fitted: the third stage, after coarse and refined. It moves the vertices of a mesh until its
/// silhouette agrees with every photograph; docs/METHOD.md describes it and names its sources.
namespace threefold {

/// How well one photograph agrees with the mesh.
struct FitAgreement {
    int view = 0;
    SilhouetteScore before;  ///< distances in pixels of the mask, of Outline::kMostSide at most
    SilhouetteScore after;
};

struct FitResult {
    Points vertices;             ///< as many as before, in the same order
    std::vector<FitStep> steps;  ///< none: the mesh was right already, or no view can be used
    std::vector<FitAgreement> agreement;  ///< one for each view that was used
    std::vector<int> leftOut;             ///< views that were not used
    std::vector<std::string> notes;       ///< why, a sentence each
    double creaseBefore = 0;              ///< meanCrease()
    double creaseAfter = 0;
    std::size_t foldedBefore = 0;  ///< how many foldedFaces()
    std::size_t foldedAfter = 0;
    std::size_t intersectingBefore = 0;  ///< how many intersectingFaces()
    std::size_t intersectingAfter = 0;
    double milliseconds = 0;

    /// Mean over the views; 0 without any.
    double overlap(SilhouetteScore FitAgreement::*mesh) const;
};

struct FitOptions {
    std::stop_token cancel = {};  ///< polled at every step, each a few milliseconds
    /// Whether the photographs should also agree on the surface's brightness (fitting::ColourTerm):
    /// those views whose `photograph` is given. Takes longer.
    bool colour = false;
    int threads = 0;          ///< 0: all that the process may use
    bool judgesViews = true;  ///< whether views that contradict all others are left out
    /// How many the fitted mesh should have: fitReconstruction(), fitFromHull(). 0: those of the
    /// refined mesh, 10 000 of a hull. fitMesh() keeps the mesh's own.
    std::size_t vertices = 0;
    /// Called after each step, on the caller's thread; `done` rises from 0 to 1.
    std::function<void(const Points& vertices, double done)> progress = {};
};

/// Fits `start`, which is in the space of the camera `space`. A crumpled mesh is smoothed first.
/// The same input gives the same result with any number of threads. A view that
/// cannot be read or has no outline is left out, and so are those that contradict all others, up to
/// a quarter of four or more; all are named. Where no view can be used, or the outlines agree to
/// half a pixel of their masks already, the mesh stays as it is. Throws Cancelled; InputError where
/// `start` has not levels.vertices() vertices or one is not finite.
FitResult fitMesh(const Points& start, const fitting::MeshLevels& levels, const Camera& space,
                  std::span<const MaskedView> views, const FitOptions& options);

/// With `steps` of another device, and what they throw.
FitResult fitMesh(const Points& start, const fitting::MeshLevels& levels, const Camera& space,
                  std::span<const MaskedView> views, const FitOptions& options,
                  fitting::FitSteps& steps);

}  // namespace threefold
