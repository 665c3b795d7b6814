#pragma once

#include <cstddef>
#include <vector>

#include "engine/fitting/mesh_levels.h"
#include "engine/fitting/outline_terms.h"
#include "engine/mesh.h"

/// Interface between the decisions of a fit (fit_mesh.cpp, fit_schedule.h, outline_distances.h)
/// and the computation of its steps, on the processor or on another device.
namespace threefold {

/// One step of the fit.
struct FitStep {
    std::size_t level = 0;  ///< level whose vertices moved; 0 is the coarsest
    /// Robust squared distance per vertex and view before the step, pixels².
    double meanEnergy = 0;
    double meanMovement = 0;  ///< mean movement of the vertices, object units
};

namespace fitting {

/// Scale of a fit's step: the level whose vertices move, and the detail in which terms see the
/// photographs (FitSchedule::scale()). Blurs are standard deviations, in pixels of the 224×224
/// projection, above 0.
struct FitScale {
    std::size_t level = 0;  ///< of MeshLevels; 0 is the coarsest
    /// Blur of CoverageTerm: the distance up to which a mask's outline attracts the mesh's outline.
    float coverageBlurSigma = 1;
    /// Whether all samples of the CoverageGrid are rendered, or only one per cell, which suffices
    /// while the mesh is coarse.
    bool hasFineCoverage = true;
    float photometricBlurSigma = 1;  ///< blur of the photographs for PhotometricTerm
};

/// A term of the fit's energy in addition to the outline terms. To add a term, derive from this
/// class and put an instance into FitTerms. Terms run on the processor, whichever device computes
/// the steps: a solver on a GPU transfers the vertices to the processor, and the sums back, in each
/// step. A term that couples vertices linearises for each vertex separately, with the others fixed.
class VertexTerm {
  public:
    VertexTerm() = default;
    VertexTerm(const VertexTerm&) = delete;
    VertexTerm& operator=(const VertexTerm&) = delete;
    virtual ~VertexTerm() = default;

    /// Adds the term's equations to `sum`, the total of all views and the terms before this one.
    /// `scale`: scale of the step. The result does not depend on the number of threads. The
    /// stopping rule compares `sum.energy`.
    virtual void addTo(const Points& vertices, const Points& normals, const FitScale& scale,
                       VertexEquations& sum) = 0;
};

/// Data terms of a fit.
struct FitTerms {
    std::vector<const ViewOutline*> outlines;   ///< one or more
    std::vector<VertexTerm*> vertexTerms = {};  ///< called in this order, on the caller's thread
};

/// Start of a fit.
struct FitStart {
    Points anchorPositions;  ///< vertices from which the anchor term measures displacements
    /// Target of the bending term, one value for each vertex: the undeformed shape's Laplacian
    /// along its normals. The term penalises only the difference from the target. Object units.
    std::vector<float> restLaplacian;
};

/// Whether the steps of a level pull vertices to outline points
/// (OutlineTermSet::outsideVerticesAndOutlinePoints). The finest of several levels does not,
/// because CoverageTerm alone is more accurate near the outlines.
inline bool usesOutlinePoints(const MeshLevels& levels, std::size_t level) {
    return level + 1 < levels.levelCount() || levels.levelCount() == 1;
}

/// Computes the steps of fits, one fit after another. For one thread at a time.
class FitSolver {
  public:
    FitSolver() = default;
    FitSolver(const FitSolver&) = delete;
    FitSolver& operator=(const FitSolver&) = delete;
    virtual ~FitSolver() = default;

    /// Begins a fit at `vertices`, regularised towards `start`, both in the camera space of the
    /// mesh pose of ViewOutline. `levels`, `start` and the terms that `terms` points to must
    /// outlive the last step; `vertices` need not.
    virtual void begin(const MeshLevels& levels, const FitStart& start, const FitTerms& terms,
                       const Points& vertices) = 0;

    /// Takes one Gauss-Newton step (METHOD.md §7a) of the vertices of `scale.level`. Deterministic.
    /// Throws Cancelled, and the device's errors.
    virtual FitStep step(const FitScale& scale) = 0;

    /// The vertices after the last step, valid until the next one. Not const: a solver on a device
    /// downloads them here.
    virtual const Points& vertices() = 0;
};

}  // namespace fitting
}  // namespace threefold
