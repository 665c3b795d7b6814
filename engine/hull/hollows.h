#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/hull/hull_field.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::hull {

/// Where a mesh of the object takes away from its hull: hollows that no silhouette shows, as a
/// sofa's seat. What lies before the mesh, seen from the photographs' cameras or one of fourteen
/// directions, is not the object's. But parts that are lacking then stay, as columns that a
/// template without holes cannot have: where two masks show some of the object that is far from
/// what is left. Any number of threads may ask at once.
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
