#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/foreground.h"

namespace threefold::board {

/// The object as one calibrated photograph shows it.
struct CalibratedMask {
    Camera camera;
    Lens lens;
    Mask mask;  ///< of the photograph's shape, in any resolution
};

/// One outline, ready to be asked; it must outlive this.
class OutlineView {
  public:
    explicit OutlineView(const CalibratedMask& outline);

    bool isEmpty() const { return right_ < 0; }
    bool isWhole() const { return isWhole_; }  ///< nowhere at the picture's border
    const glm::dvec3& origin() const { return outline_.camera.origin; }
    /// Its outermost pixels.
    const std::vector<glm::ivec2>& rim() const { return rim_; }

    /// Whether the point may be the object's.
    bool keeps(glm::dvec3 point) const;

    /// The direction through a point of the mask, in its pixels.
    glm::dvec3 rayAt(glm::dvec2 pixel) const;
    glm::dvec3 centreRay() const;

    /// Half the diagonal of the outline's rectangle at the point's distance.
    double radius(glm::dvec3 point) const;

  private:
    std::vector<std::uint8_t> narrowed(const std::vector<std::uint8_t>& inside) const;
    std::size_t indexOf(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(outline_.mask.width) +
               static_cast<std::size_t>(x);
    }
    bool holds(const std::vector<std::uint8_t>& mask, int x, int y) const {
        return mask[indexOf(x, y)] != 0;
    }

    const CalibratedMask& outline_;
    LensProjection projection_;
    std::vector<glm::ivec2> rim_;
    int left_ = std::numeric_limits<int>::max(), right_ = -1, top_ = left_, bottom_ = -1;
    bool isWhole_ = false;
};

/// The object's bounding box along the world's axes.
struct ObjectBox {
    glm::dvec3 low{0.0};
    glm::dvec3 high{0.0};

    glm::dvec3 centre() const { return (low + high) / 2.0; }
    double diagonal() const { return glm::length(high - low); }
};

/// Estimates the object's bounding box from its outlines. Upper bound: the box of the visual hull.
/// Lower bound: the box that still reaches the stretch inside the hull of every rim ray, since the
/// object touches each of these rays. The result lies a tenth of the way from the lower bound to
/// the upper. `standing`: the object stands on z = 0. An outline at the picture's border says
/// nothing about points outside the picture. None: fewer than two outlines, or no common point.
/// Throws Cancelled.
std::optional<ObjectBox> objectBox(const std::vector<CalibratedMask>& outlines, bool standing,
                                   const std::stop_token& cancel = {});

}  // namespace threefold::board
