#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/fitting/fit_steps.h"
#include "engine/formats/pictures/image.h"

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

/// What the photographs' brightness asks of the vertices: a small square of the surface should look
/// the same in every photograph that sees it, but for its brightness and contrast (Faugeras and
/// Keriven 1998). The squares move along their vertices' normals, by the slopes of the blurred
/// photographs. Says nothing where fewer than two see a square whole, or it has no contrast.
class ColourTerm final : public VertexTerm {
  public:
    /// A photograph, and its outline's terms, which outlive it; an incomplete one says nothing.
    struct View {
        const OutlineTerms* outline;
        const Image* image;
    };

    /// `levels` outlives it. The same with any number of threads, 1 or more. Throws Cancelled.
    ColourTerm(const MeshLevels& levels, const std::vector<View>& views, int threads,
               std::stop_token cancel);
    ~ColourTerm() override;

    /// The blur of the photographs from now on, and a third of a square's reach: its standard
    /// deviation in pixels of the 224×224 projection, above 0. Throws Cancelled.
    void setDeviation(float pixels);

    /// Throws Cancelled.
    void add(const Points& vertices, const Points& normals, NormalEquations& sum) override;

  private:
    class Photograph;

    const MeshLevels& levels_;
    int threads_;
    std::stop_token cancel_;
    float deviation_ = 0;
    std::vector<std::unique_ptr<Photograph>> photographs_;
};

/// Draws the vertices of folded and of intersecting faces to the mean of their neighbours.
/// Photographs draw the two sides of a thin part through each other, as each side's outline is the
/// other's, too. For one fit; it looks for such faces every few steps only.
class Untangling final : public VertexTerm {
  public:
    static constexpr int kLookEvery = 3;  ///< calls of add()

    /// `levels` outlives it; `views`: how many photographs the fit has. Nothing is drawn while no
    /// more faces are folded than `folded`, and likewise intersecting.
    Untangling(const MeshLevels& levels, std::size_t views, std::size_t folded,
               std::size_t intersecting);

    /// The energy stays as it is: agreement with the photographs alone ends a fit.
    void add(const Points& vertices, const Points& normals, NormalEquations& sum) override;

  private:
    void look(const Points& vertices);

    const MeshLevels& levels_;
    float weight_;
    std::size_t folded_, intersecting_;
    int calls_ = 0;
    std::vector<std::uint32_t> tangled_;  ///< vertices, ascending
    Points curved_;
};

}  // namespace threefold::fitting
