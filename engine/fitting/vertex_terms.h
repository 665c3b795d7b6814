#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/fitting/fit_solver.h"
#include "engine/formats/pictures/image.h"

namespace threefold::fitting {

/// Silhouette term by differentiable rendering. Renders the mesh into each photograph. For
/// each silhouette edge in front of the background, moves both vertices along the edge's normal in
/// the image, by the blurred difference of mask and rendering. Because coverage changes only at the
/// silhouette (Li et al. 2018), this movement is the gradient of a differentiable rasteriser,
/// scaled to the pixels by which the outline is off. Weights are robust (robustWeight()).
class CoverageTerm final : public VertexTerm {
  public:
    /// `levels` and `views` must outlive the term. `threads`: 1 or more, without influence on the
    /// result.
    CoverageTerm(const MeshLevels& levels, std::vector<const ViewOutline*> views, int threads,
                 std::stop_token cancel);

    /// Throws Cancelled.
    void addTo(const Points& vertices, const Points& normals, const FitScale& scale,
               VertexEquations& sum) override;

  private:
    const MeshLevels& levels_;
    std::vector<const ViewOutline*> views_;
    int threads_;
    std::stop_token cancel_;
    std::vector<VertexEquations> equations_;  ///< one for each view
};

/// A photograph and its outline. Both must outlive the PhotometricTerm. Incomplete images are
/// ignored.
struct PhotometricView {
    const ViewOutline* outline;
    const Image* image;
};

/// Photometric term: a small square patch of the surface should look the same in every photograph
/// that shows it, up to brightness and contrast (Faugeras and Keriven 1998). Patches move along the
/// normals of their vertices, by the gradients of the blurred photographs. A patch counts only if
/// two photographs or more show all of it with enough contrast.
class PhotometricTerm final : public VertexTerm {
  public:
    /// `levels` must outlive the term. `threads`: 1 or more, without influence on the result.
    PhotometricTerm(const MeshLevels& levels, const std::vector<PhotometricView>& inputs,
                    int threads, std::stop_token cancel);
    ~PhotometricTerm() override;

    /// The patches' half side is three times FitScale::photometricBlurSigma. Throws Cancelled.
    void addTo(const Points& vertices, const Points& normals, const FitScale& scale,
               VertexEquations& sum) override;

  private:
    class Photograph;

    void blurPhotographs(float sigma);

    const MeshLevels& levels_;
    int threads_;
    std::stop_token cancel_;
    float blurSigma_ = 0;  ///< of the blurred photographs; 0: none are blurred yet
    std::vector<std::unique_ptr<Photograph>> photographs_;
};

/// Pulls the vertices of folded and of intersecting faces to the mean of their neighbours. Outline
/// terms pull the two sides of a thin part through each other, because both sides share an outline.
/// An object serves one fit. Searches for such faces every kSearchInterval steps only.
class UntanglingTerm final : public VertexTerm {
  public:
    static constexpr int kSearchInterval = 3;  ///< calls of addTo() between searches

    /// `levels` must outlive the term. `viewCount`: number of photographs of the fit. Folded faces
    /// are left alone while there are no more than `toleratedFolded`, intersecting ones while there
    /// are no more than `toleratedIntersecting`.
    UntanglingTerm(const MeshLevels& levels, std::size_t viewCount, std::size_t toleratedFolded,
                   std::size_t toleratedIntersecting);

    /// Leaves the energy unchanged: only agreement with the photographs ends a fit.
    void addTo(const Points& vertices, const Points& normals, const FitScale& scale,
               VertexEquations& sum) override;

  private:
    void findTangled(const Points& vertices);

    const MeshLevels& levels_;
    float weight_;
    std::size_t toleratedFolded_, toleratedIntersecting_;
    int callCount_ = 0;
    std::vector<std::uint32_t> tangledVertices_;  ///< vertices, ascending
    Points laplacian_;
};

}  // namespace threefold::fitting
