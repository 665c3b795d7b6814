#pragma once

#include <stop_token>
#include <vector>

#include "engine/fitting/fit_steps.h"

namespace threefold::fitting {

/// What the coverage of the drawn mesh asks of its vertices: in each photograph the mesh is drawn,
/// and along its silhouette, wherever that borders on the background, the blurred difference of
/// mask and drawing moves the two ends of the edge along the edge's normal in the image. As a
/// coverage changes by its silhouette alone (Li et al. 2018), this is a differentiable rasteriser's
/// gradient, scaled to the pixels that the outline is off by. Robust as the others.
class CoverageTerm final : public VertexTerm {
  public:
    /// `levels` and `views` outlive it. The same with any number of threads, 1 or more.
    CoverageTerm(const MeshLevels& levels, std::vector<const OutlineTerms*> views, int threads,
                 std::stop_token cancel);

    /// How wide the difference is felt beside the outline: the standard deviation of the blur, in
    /// pixels of the 224×224 projection, above 0.
    void setDeviation(float pixels) { deviation_ = pixels; }

    /// All samples of the CoverageGrid in drawings, or one a cell: enough while the mesh is coarse.
    void setFine(bool fine) { fine_ = fine; }

    /// Throws Cancelled.
    void add(const Points& vertices, const Points& normals, NormalEquations& sum) override;

  private:
    const MeshLevels& levels_;
    std::vector<const OutlineTerms*> views_;
    int threads_;
    std::stop_token cancel_;
    float deviation_ = 1;
    bool fine_ = true;
    std::vector<NormalEquations> equations_;  ///< one for each view
};

}  // namespace threefold::fitting
