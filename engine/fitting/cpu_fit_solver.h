#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "engine/fitting/fit_solver.h"
#include "engine/fitting/regularisation_weights.h"

namespace threefold::fitting {

/// Computes the steps on the processor: the reference for every other device.
class CpuFitSolver final : public FitSolver {
  public:
    /// `cancel` is polled within a step. `threads`: 1 or more, without influence on the result.
    CpuFitSolver(int threads, std::stop_token cancel);

    void begin(const MeshLevels& levels, const FitStart& start, const FitTerms& terms,
               const Points& vertices) override;
    FitStep step(const FitScale& scale) override;
    const Points& vertices() override { return vertices_; }

  private:
    VertexEquations sumOfTerms(const FitScale& scale, const Points& normals);
    void addRegularisation(const Points& normals, VertexEquations& equations) const;
    Points solve(std::size_t level, const VertexEquations& equations, const Points& normals) const;
    void weighLaplacian(const Points& x, const Points& normals, Points& result) const;

    int threads_;
    std::stop_token cancel_;
    const MeshLevels* levels_ = nullptr;
    const FitStart* start_ = nullptr;
    FitTerms terms_;
    RegularisationWeights weights_{};
    Points vertices_;
    std::vector<VertexEquations> equations_;  ///< one for each view
};

}  // namespace threefold::fitting
