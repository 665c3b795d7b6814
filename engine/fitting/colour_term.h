#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "engine/fitting/fit_steps.h"
#include "engine/formats/pictures/image.h"

namespace threefold::fitting {

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

}  // namespace threefold::fitting
