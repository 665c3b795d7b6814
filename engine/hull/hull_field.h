#pragma once

#include <cstddef>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/views/camera.h"
#include "engine/views/foreground.h"

namespace threefold::hull {

/// How far from the origin the object may reach along each axis, in object units.
inline constexpr double kReach = 0.6;

/// Where a camera sees a point; all 0 where that is behind it.
struct Projected {
    glm::vec2 place{0};       ///< 0…1 from edge to edge of the picture: column, row
    float pictureExtent = 0;  ///< the picture's side at the point's depth, in object units
    float depth = 0;          ///< along the viewing direction, in object units
};
Projected project(const Camera& camera, glm::dvec3 world);

/// What one mask says of points in space. Immutable: any number of threads may ask.
class Silhouette {
  public:
    /// Specks of the mask are removed. `mask` is square, with pixels of both kinds.
    Silhouette(const Camera& camera, Mask mask);

    const Camera& camera() const { return camera_; }
    const Mask& mask() const { return mask_; }  ///< without specks

    /// Signed distance to the cone of the silhouette in object units, measured across the viewing
    /// direction; below 0 inside. Far below 0 where the view says nothing.
    float at(glm::dvec3 world) const;

  private:
    Camera camera_;
    Mask mask_;
    std::vector<float> distance_;  // in the mask's pixels
    bool openLeft_ = false;        // the object goes on beyond this border
    bool openRight_ = false;
    bool openTop_ = false;
    bool openBottom_ = false;
};

/// Signed distance to the hull of several silhouettes, which a point may lie outside of `forgiven`
/// of: the (forgiven + 1)-th largest of theirs.
class HullField {
  public:
    /// The views outlive it; `forgiven` is less than their number, and counts up to 15.
    HullField(std::vector<const Silhouette*> views, std::size_t forgiven);

    /// In object units; below 0 inside; above `most` some value that is. Steepness at most
    /// kSteepest, but for the borders of pictures whose mask touches them.
    float at(glm::dvec3 world, float most) const;
    static constexpr double kSteepest = 1.3;  ///< at a picture's corner, 33° off the axis at zoom 1

  private:
    std::vector<const Silhouette*> views_;
    std::size_t rank_;
};

}  // namespace threefold::hull
