#pragma once

#include <stop_token>
#include <vector>

#include "engine/fitting/fit_steps.h"

namespace threefold::fitting {

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

}  // namespace threefold::fitting
