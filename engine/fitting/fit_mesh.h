#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/fitting/fit_solver.h"
#include "engine/fitting/mesh_levels.h"
#include "engine/measures/silhouette.h"
#include "engine/mesh.h"
#include "engine/views/left_out_view.h"
#include "engine/views/masked_view.h"
#include "engine/views/pose.h"

/// The fit: third stage, after coarse and refined. Moves the vertices of a mesh until its
/// silhouette agrees with every photograph; docs/METHOD.md describes the method and names its
/// sources.
namespace threefold {

/// Mean overlap of a fitted mesh with its masks, below which masks or cameras are doubtful.
inline constexpr double kMinFitOverlap = 0.8;

/// Agreement of one photograph with the mesh.
struct FitAgreement {
    int view = 0;
    /// Distances are in pixels of the mask, which has at most Outline::kMaxSide on a side.
    SilhouetteScore before;
    SilhouetteScore after;
};

/// Creases, folds and self-intersections of a mesh.
struct MeshDefects {
    double crease = 0;                      ///< meanCrease()
    std::size_t foldedFaceCount = 0;        ///< number of foldedFaces()
    std::size_t intersectingFaceCount = 0;  ///< number of intersectingFaces()
};

/// Measures the defects of a mesh with the faces of `levels`.
MeshDefects meshDefects(const fitting::MeshLevels& levels, const Points& vertices);

/// Result of fitMesh().
struct FitResult {
    Points vertices;  ///< as many as the start mesh has, in its order
    /// All steps taken, in order, including those of trial fits without a suspected view and of
    /// fits repeated without a contradicting view. Empty: the mesh agreed already, or no view is
    /// usable.
    std::vector<FitStep> steps;
    std::vector<FitAgreement> agreements;  ///< one for each used view
    std::vector<LeftOutView> leftOut;      ///< the unused views
    /// Whether no view has an outline, and none has another problem: the photographs are not cut
    /// out.
    bool lacksMasks = false;
    /// Whether the result is the start mesh, because the fitted mesh agreed less
    /// (fitReconstruction()).
    bool isDiscarded = false;
    MeshDefects defectsBefore;
    MeshDefects defectsAfter;
    double milliseconds = 0;

    /// Numbers of the used views, in the order of `agreements`.
    std::vector<int> usedViews() const;
    /// Mean overlap over the used views, of the start and of the fitted mesh; 0 without any view.
    double meanOverlapBefore() const;
    double meanOverlapAfter() const;
    /// Whether the fitted mesh overlaps the masks by less than kMinFitOverlap in the mean; false
    /// without any view.
    bool hasLowOverlap() const;
};

/// Options of fitMesh().
struct FitOptions {
    std::stop_token cancel = {};  ///< polled at every step, each a few milliseconds
    /// Also match brightness between the photographs (fitting::PhotometricTerm), in views whose
    /// `photograph` is given. Slower.
    bool photometric = false;
    int threads = 0;                          ///< 0: all available
    bool leavesOutContradictingViews = true;  ///< leave out views that contradict all others
    /// Called on the caller's thread after each step, except for the steps of trial fits without a
    /// suspected view. `fraction` of the work, 0…1, never falls and need not reach 1.
    std::function<void(const Points& vertices, double fraction)> progress = {};
};

/// Fits `start`, given in the camera space of `meshPose`. A crumpled mesh is smoothed first.
/// The result does not depend on the number of threads. Views that cannot be read or have no
/// outline are left out, as are views that contradict all others, up to a quarter of the views; the
/// result names all of them. Without a usable view, or with outlines that agree to half a pixel of
/// their masks already, the mesh stays unchanged. Throws Cancelled; InputError if `start` has not
/// levels.vertexCount() vertices or a coordinate is not finite.
FitResult fitMesh(const Points& start, const fitting::MeshLevels& levels, const Pose& meshPose,
                  std::span<const MaskedView> views, const FitOptions& options);

/// Fits with the given implementation of the steps, for instance on a GPU. Also throws exceptions
/// of `solver`.
FitResult fitMesh(const Points& start, const fitting::MeshLevels& levels, const Pose& meshPose,
                  std::span<const MaskedView> views, const FitOptions& options,
                  fitting::FitSolver& solver);

}  // namespace threefold
