#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold::hull {

/// Half the side of the cube around the origin in which the object lies, object units.
inline constexpr double kHullHalfSide = 0.6;

/// Projection of a point into a camera's picture; all 0 if the point is behind the camera.
struct Projected {
    glm::vec2 position{0};    ///< 0…1 from edge to edge of the picture: column, row
    float pictureExtent = 0;  ///< the picture's side at the point's depth, in object units
    float depth = 0;          ///< along the viewing direction, in object units
};
Projected project(const Camera& camera, glm::dvec3 world);

/// Silhouette of one view (MaskedView) as a signed distance field in space, for hulls. Immutable,
/// thread-safe. For exact questions about points and rays, lens included: SilhouetteQuery.
class SilhouetteDistance {
  public:
    /// `mask`: square, with pixels inside and outside of the object. Specks are removed.
    SilhouetteDistance(const Camera& camera, Mask mask);

    const Camera& camera() const { return camera_; }
    const Mask& mask() const { return mask_; }  ///< without specks

    /// Signed distance in object units to the cone of the silhouette, measured across the viewing
    /// direction; below 0 inside. Far below 0 where the view gives no information.
    float at(glm::dvec3 world) const;

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
    /// Cancelled, and what `make` throws.
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

/// Signed distance to a visual hull whose points may lie outside of `tolerated` silhouettes: the
/// (tolerated + 1)-th largest of the silhouettes' distances.
class HullField {
  public:
    /// The views must outlive the field. `tolerated`: less than the number of views; values above
    /// 15 count as 15.
    HullField(std::vector<const SilhouetteDistance*> views, std::size_t tolerated);

    /// Signed distance in object units, negative inside. Exact up to `maxDistance`; larger
    /// distances may come back as any value above `maxDistance`. Slope at most kMaxSlope, except at
    /// picture borders that the mask touches.
    float at(glm::dvec3 world, float maxDistance) const;
    /// Maximum slope, reached at a picture's corner, 33° off axis at zoom 1.
    static constexpr double kMaxSlope = 1.3;

    /// Cuts off all points below a height (world y), such as baseHeight().
    void cutBelow(double height) { base_ = height; }

  private:
    std::vector<const SilhouetteDistance*> views_;
    std::size_t rank_;
    double base_ = -kHullHalfSide;
};

/// Concavities of a mesh that no silhouette can show, such as a sofa's seat; points inside are
/// carved from the visual hull. A point is in a hollow if it lies in front of the mesh, seen from a
/// photograph's camera or along one of fourteen directions, except where two or more masks show the
/// object far outside the mesh's silhouette: there the mesh lacks a part. Thread-safe.
class Hollows {
  public:
    /// `mesh`: world space. Throws Cancelled.
    Hollows(const Mesh& mesh, std::span<const SilhouetteDistance* const> views, int threads,
            const std::stop_token& cancel);

    /// Sets the depth in front of the mesh, in object units, that still belongs to the object; 0
    /// initially.
    void setSkin(float thickness) { skin_ = thickness; }

    /// Depth within a hollow, in object units: above 0 inside of one, at most 0.015.
    float at(glm::dvec3 world) const;

  private:
    struct View {
        Camera camera;
        std::vector<float> depth;    ///< mesh depth, minimum of 3×3 pixels; 0 at the background
        std::vector<float> missing;  ///< pixels to the parts that the mesh lacks; empty: none
    };

    static View viewFrom(const Camera& camera, const SilhouetteDistance* silhouette,
                         const Mesh& mesh);

    std::vector<View> views_;
    float skin_ = 0;
};

}  // namespace threefold::hull
