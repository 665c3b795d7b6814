#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/mesh.h"
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

/// One view's silhouette as a signed distance field in space. Immutable, thread-safe.
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

/// Signed distance to a visual hull whose points may lie outside `tolerated` silhouettes: the
/// (tolerated + 1)-th largest of the silhouettes' distances.
class HullField {
  public:
    /// The views outlive the field. `tolerated`: less than the number of views; above 15 taken as
    /// 15.
    HullField(std::vector<const Silhouette*> views, std::size_t tolerated);

    /// In object units, negative inside. Exact up to `most`; a larger distance may come back as any
    /// value above `most`. Slope at most kSteepest, except at the borders of pictures whose mask
    /// touches them.
    float at(glm::dvec3 world, float most) const;
    static constexpr double kSteepest = 1.3;  ///< at a picture's corner, 33° off the axis at zoom 1

  private:
    std::vector<const Silhouette*> views_;
    std::size_t rank_;
};

/// Hollows of a mesh that no silhouette shows, such as a sofa's seat; the hull is carved by them. A
/// point is in a hollow if it lies in front of the mesh, seen from a photograph's camera or one of
/// fourteen directions. Exempt are points near a part that the mesh lacks, where two masks or more
/// show the object far from the mesh's silhouette: a template mesh cannot have every column.
/// Thread-safe.
class Hollows {
  public:
    /// `mesh`: in world space. Throws Cancelled.
    Hollows(const Mesh& mesh, std::span<const Silhouette* const> views, int threads,
            const std::stop_token& cancel);

    /// From now on, what lies before the mesh by less is the object's.
    void leaveSkin(float thickness) { skin_ = thickness; }

    /// In object units: above 0 in a hollow, at most 0.015.
    float at(glm::dvec3 world) const;

  private:
    struct View {
        Camera camera;
        std::vector<float> ground;  ///< depth of the mesh, of each pixel; 0 where nothing goes
        std::vector<float> lacked;  ///< pixels to the parts that are lacking; empty: none
    };

    static View seenFrom(const Camera& camera, const Silhouette* silhouette, const Mesh& mesh);

    std::vector<View> views_;
    float skin_ = 0;
};

}  // namespace threefold::hull
