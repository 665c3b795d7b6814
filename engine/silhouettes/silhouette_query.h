#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/views/lens.h"
#include "engine/views/mask.h"
#include "engine/views/pose.h"
#include "engine/views/ray.h"

namespace threefold {

/// Silhouette of the object in a whole photograph, with the photograph's pose and lens. Serves
/// searches for cameras and objects. Fits and hulls use MaskedView instead: the object's square
/// picture without distortion.
struct PosedMask {
    Pose pose;
    Lens lens;
    Mask mask;  ///< of the whole photograph, at any resolution
    /// Whether the object stays clear of the photograph's border; nullopt: derived from the mask.
    /// Set for a mask that is coarser than the photograph, or dilated.
    std::optional<bool> isClearOfBorder = {};
};

/// Answers queries about points and rays in space against one photograph's silhouette. Refers to
/// `silhouette`, which must outlive the query. Immutable, thread-safe. SilhouetteField gives the
/// signed distances that hulls need.
class SilhouetteQuery {
  public:
    explicit SilhouetteQuery(const PosedMask& silhouette);
    explicit SilhouetteQuery(const PosedMask&&) = delete;

    bool isEmpty() const { return right_ < 0; }
    bool isClearOfBorder() const { return isClearOfBorder_; }  ///< clear of the photograph's border
    const glm::dvec3& centre() const { return silhouette_.pose.centre; }

    /// Pixels of the object that have one of their eight neighbours outside the object, row by row.
    std::vector<glm::ivec2> outlinePixels() const;

    /// Whether the point may belong to the object: its projection lies inside the mask, or outside
    /// a photograph that does not show the whole object. True for an empty silhouette, which
    /// excludes nothing.
    bool mayContain(glm::dvec3 point) const;

    /// Ray through a point of the mask, in mask pixels: continuous, (0, 0) at the upper left
    /// corner. Where no ray is distorted to that point, returns the ray through a point nearer to
    /// the principal point.
    Ray rayAt(glm::dvec2 pixel) const;
    /// Ray through the centre of the silhouette's bounding rectangle.
    Ray centreRay() const;

    /// Half the diagonal of the silhouette's bounding rectangle at the point's distance from the
    /// camera.
    double radiusAt(glm::dvec3 point) const;

  private:
    const PosedMask& silhouette_;
    LensProjection projection_;
    int left_ = std::numeric_limits<int>::max(), right_ = -1, top_ = left_, bottom_ = -1;
    bool isClearOfBorder_ = false;
};

/// Queries of the masks that are not empty; they refer to `silhouettes`.
std::vector<SilhouetteQuery> silhouetteQueries(std::span<const PosedMask> silhouettes);

}  // namespace threefold
