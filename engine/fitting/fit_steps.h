#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "engine/fitting/mesh_levels.h"
#include "engine/fitting/outline_terms.h"
#include "engine/mesh.h"

/// The seam between what a fit decides (fit_mesh.cpp: levels, the stopping rule, wrong views) and
/// what it computes: its steps, on the processor or on another device.
namespace threefold {

/// One step of the fit.
struct FitStep {
    std::size_t level = 0;  ///< of the mesh whose vertices moved, 0 the coarsest
    double energy = 0;      ///< robust squared distance per vertex and view before it, pixels²
    double movement = 0;    ///< of the vertices, mean, object units
};

namespace fitting {

/// What else asks something of the vertices, beside the outlines. To add a term to the fit, derive
/// from this and put it into FitTerms: it runs on the processor whichever device makes the steps,
/// which costs a device that is not the processor one transfer of the vertices and one of the sums
/// a step. A term that couples vertices gives each its own share, with the others where they are.
class VertexTerm {
  public:
    VertexTerm() = default;
    VertexTerm(const VertexTerm&) = delete;
    VertexTerm& operator=(const VertexTerm&) = delete;
    virtual ~VertexTerm() = default;

    /// Adds to `sum`, which is that of all views and the terms before this one. The same input
    /// gives the same result with any number of threads. The energy is that of the stopping rule.
    virtual void add(const Points& vertices, const Points& normals, NormalEquations& sum) = 0;
};

/// What a fit is made to agree with.
struct FitTerms {
    std::vector<const OutlineTerms*> views;  ///< one or more
    std::vector<VertexTerm*> others = {};    ///< called in this order, on the caller's thread
};

/// What a fit stays near.
struct FitStart {
    Points vertices;
    /// For each vertex the Laplacian along the normal with which the surface does not bend: what of
    /// the start's curvature is its shape. Object units.
    std::vector<float> curvature;
};

/// Weights of what the surface itself asks for, beside the views' terms.
struct SurfaceWeights {
    float bending;    ///< of the Laplacian along the normal, less that of FitStart::curvature
    float spreading;  ///< of the Laplacian along the surface: spreads the vertices
    float damping;    ///< of a step's movement
    float staying;    ///< of the movement from the start

    /// For a fit of a mesh with so many vertices to so many views.
    static SurfaceWeights of(std::size_t views, std::size_t vertices);
};

/// Makes the steps of one fit after another. One thread at a time.
class FitSteps {
  public:
    FitSteps() = default;
    FitSteps(const FitSteps&) = delete;
    FitSteps& operator=(const FitSteps&) = delete;
    virtual ~FitSteps() = default;

    /// Begins a fit at `vertices` that stays near `start`, all in the space of the views' terms.
    /// `levels`, `start` and what `terms` names outlive the last step; `vertices` need not.
    virtual void begin(const MeshLevels& levels, const FitStart& start, const FitTerms& terms,
                       const Points& vertices) = 0;

    /// One Gauss-Newton step (METHOD.md §7a) of one level's vertices. The same fit gives the same
    /// bits each time. Throws Cancelled, and what the device throws.
    virtual FitStep take(std::size_t level) = 0;

    /// After the last step. Valid until the next one.
    virtual const Points& vertices() = 0;
};

/// The steps of a fit on the processor: the reference of every other device.
class ProcessorSteps final : public FitSteps {
  public:
    /// `cancel` is polled within a step; `threads` of 1 or more. The result is the same with any.
    ProcessorSteps(int threads, std::stop_token cancel);

    void begin(const MeshLevels& levels, const FitStart& start, const FitTerms& terms,
               const Points& vertices) override;
    FitStep take(std::size_t level) override;
    const Points& vertices() override { return vertices_; }

  private:
    NormalEquations sumOfTerms(std::size_t level, const Points& normals);
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
