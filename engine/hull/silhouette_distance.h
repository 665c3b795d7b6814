#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold::hull {

/// Projection of a point into a camera's picture; all 0 if the point is behind the camera.
struct ProjectedPoint {
    glm::vec2 position{0};         ///< 0…1 from edge to edge of the picture: column, row
    float unitsAcrossPicture = 0;  ///< the picture's side at the point's depth, in object units
    float depth = 0;               ///< along the viewing direction, in object units
};
/// Projects a point in world space.
ProjectedPoint project(const Camera& camera, glm::dvec3 world);

/// Silhouette of one view (MaskedView) as a signed distance field in space, for hulls. Immutable,
/// thread-safe. For exact questions about points and rays, lens included: SilhouetteQuery.
class SilhouetteDistance {
  public:
    /// `mask`: square, with pixels inside and outside of the object. Specks are removed.
    SilhouetteDistance(const Camera& camera, Mask mask);

    const Camera& camera() const { return camera_; }
    const Mask& mask() const { return mask_; }  ///< without specks

    /// Signed distance in object units to the cone of the silhouette, measured across the viewing
    /// direction; below 0 inside. kNoInformation beyond a border of the picture that the mask
    /// touches.
    float signedDistance(glm::dvec3 world) const;
    static constexpr float kNoInformation = -10;  ///< far inside: the view excludes nothing

  private:
    Camera camera_;
    Mask mask_;
    std::vector<float> distance_;  // in the mask's pixels
    bool openLeft_ = false;        // the object continues beyond the left border
    bool openRight_ = false;
    bool openTop_ = false;
    bool openBottom_ = false;
};

/// Owns the silhouettes of several views. Their addresses stay the same when the set is moved or
/// grows.
class SilhouetteSet {
  public:
    SilhouetteSet() = default;
    /// Makes `count` silhouettes on several threads; `make` returns the one at an index. Throws
    /// Cancelled; exceptions of `make` propagate.
    SilhouetteSet(std::size_t count,
                  const std::function<SilhouetteDistance(std::size_t index)>& make, int threads,
                  const std::stop_token& cancel);

    void add(const Camera& camera, Mask mask);

    /// The silhouettes in the order of their indices, then of add().
    const std::vector<const SilhouetteDistance*>& all() const { return all_; }

  private:
    std::vector<std::unique_ptr<const SilhouetteDistance>> owned_;
    std::vector<const SilhouetteDistance*> all_;
};

}  // namespace threefold::hull
