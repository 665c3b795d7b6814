#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/views/camera.h"
#include "engine/views/foreground.h"
#include "engine/views/lens.h"
#include "engine/views/ray.h"

namespace threefold {

/// The object as one photograph shows it, by the photograph's own lens.
struct CalibratedMask {
    Camera camera;  ///< its pose; the zoom does not count
    Lens lens;
    Mask mask;  ///< all of the photograph, in any resolution
    /// Whether the object is nowhere at the photograph's border; none: as the mask has it. For a
    /// mask that is coarser, or dilated.
    std::optional<bool> isWhole = {};
};

/// One silhouette, ready for questions about points and rays in space. Refers to `silhouette`,
/// which must outlive it. Immutable, thread-safe.
class SilhouetteView {
  public:
    explicit SilhouetteView(const CalibratedMask& silhouette);
    explicit SilhouetteView(const CalibratedMask&&) = delete;

    bool isEmpty() const { return right_ < 0; }
    bool isWhole() const { return isWhole_; }  ///< nowhere at the photograph's border
    const glm::dvec3& origin() const { return silhouette_.camera.origin; }

    /// Pixels of the object with one of their eight neighbours outside of it, row by row.
    std::vector<glm::ivec2> rim() const;

    /// Whether the point may be the object's: it is seen inside the mask, or outside of a
    /// photograph that does not show all of the object. An empty silhouette says nothing: true.
    bool keeps(glm::dvec3 point) const;

    /// The ray through a point of the mask, in its pixels; continuous, (0, 0) at the upper left
    /// corner.
    Ray rayAt(glm::dvec2 pixel) const;
    /// The ray through the middle of the silhouette's rectangle.
    Ray centreRay() const;

    /// Half the diagonal of the silhouette's rectangle at the point's distance.
    double radius(glm::dvec3 point) const;

  private:
    const CalibratedMask& silhouette_;
    LensProjection projection_;
    int left_ = std::numeric_limits<int>::max(), right_ = -1, top_ = left_, bottom_ = -1;
    bool isWhole_ = false;
};

/// The views of these masks that show any of the object. They refer to `silhouettes`.
std::vector<SilhouetteView> silhouetteViews(std::span<const CalibratedMask> silhouettes);

}  // namespace threefold
