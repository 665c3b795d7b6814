#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "engine/fitting/mesh_levels.h"
#include "engine/fitting/outline_terms.h"
#include "engine/mesh.h"

/// Interface between the decisions of a fit (fit_mesh.cpp: levels, stopping rule, wrong views) and
/// the computation of its steps, on the processor or on another device.
namespace threefold {

/// One step of the fit.
struct FitStep {
    std::size_t level = 0;  ///< level whose vertices moved; 0 is the coarsest
    /// Robust squared distance per vertex and view before the step, pixels².
    double meanEnergy = 0;
    double meanMovement = 0;  ///< of the vertices, object units
};

namespace fitting {

/// A term of the fit's energy beside the outlines. To add a term, derive from this class and put an
/// instance into FitTerms. Terms run on the processor whichever device computes the steps; another
/// device pays one transfer of the vertices and one of the sums per step. A term that couples
/// vertices linearises for each vertex separately, with the others fixed.
class VertexTerm {
  public:
    VertexTerm() = default;
    VertexTerm(const VertexTerm&) = delete;
    VertexTerm& operator=(const VertexTerm&) = delete;
    virtual ~VertexTerm() = default;

    /// Adds the term's equations to `sum`, the total of all views and the terms before this one.
    /// The result does not depend on the number of threads. The stopping rule compares
    /// `sum.energy`.
    virtual void add(const Points& vertices, const Points& normals, NormalEquations& sum) = 0;
};

/// Data terms of a fit.
struct FitTerms {
    std::vector<const OutlineTerms*> views;  ///< one or more
    std::vector<VertexTerm*> others = {};    ///< called in this order, on the caller's thread
};

/// Start of a fit. The anchor term keeps the vertices near it.
struct FitStart {
    Points vertices;
    /// Target of the bending term, one value for each vertex: the Laplacian along the normal that
    /// counts as shape, not as bending. Object units.
    std::vector<float> restLaplacian;
};

/// Weights of the regularisation terms, beside the views' terms.
struct SurfaceWeights {
    float bending;              ///< Laplacian along the normal, less FitStart::restLaplacian
    float tangentialSmoothing;  ///< Laplacian along the surface: spreads the vertices
    float damping;              ///< movement in a step
    float anchor;               ///< movement from the start

    /// Weights for a number of views and of mesh vertices.
    static SurfaceWeights of(std::size_t views, std::size_t vertices);
};

/// Computes the steps of fits, one fit after another. For one thread at a time.
class FitSolver {
  public:
    FitSolver() = default;
    FitSolver(const FitSolver&) = delete;
    FitSolver& operator=(const FitSolver&) = delete;
    virtual ~FitSolver() = default;

    /// Begins a fit at `vertices`, regularised towards `start`, all in the space of the views'
    /// terms. `levels`, `start` and the terms that `terms` points to must outlive the last step;
    /// `vertices` need not.
    virtual void begin(const MeshLevels& levels, const FitStart& start, const FitTerms& terms,
                       const Points& vertices) = 0;

    /// Takes one Gauss-Newton step (METHOD.md §7a) of one level's vertices. Deterministic. Throws
    /// Cancelled, and the device's errors.
    virtual FitStep take(std::size_t level) = 0;

    /// The vertices after the last step. Valid until the next step.
    virtual const Points& vertices() = 0;
};

/// Computes the steps on the processor: the reference for every other device.
class CpuFitSolver final : public FitSolver {
  public:
    /// `cancel` is polled within a step. `threads`: 1 or more, without influence on the result.
    CpuFitSolver(int threads, std::stop_token cancel);

    void begin(const MeshLevels& levels, const FitStart& start, const FitTerms& terms,
               const Points& vertices) override;
    FitStep take(std::size_t level) override;
    const Points& vertices() override { return vertices_; }

  private:
    NormalEquations sumOfTerms(std::size_t level, const Points& normals);
    void addRegularisation(const Points& normals, NormalEquations& equations) const;
    Points solve(std::size_t level, const NormalEquations& equations, const Points& normals) const;
    void weighLaplacian(const Points& x, const Points& normals, Points& result) const;

    int threads_;
    std::stop_token cancel_;
    const MeshLevels* levels_ = nullptr;
    const FitStart* start_ = nullptr;
    FitTerms terms_;
    SurfaceWeights weights_{};
    Points vertices_;
    std::vector<NormalEquations> equations_;  ///< one for each view
};

}  // namespace fitting
}  // namespace threefold
