#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/silhouettes/silhouette_field.h"
#include "engine/views/camera.h"

namespace threefold::hull {

/// Concavities that a mesh of the object has and no silhouette can show, such as a sofa's seat;
/// points inside are carved from the visual hull. A point is in a hollow if it lies in front of the
/// mesh, seen from a photograph's camera or from one of fourteen cameras around the object, except
/// where two or more masks show the object far outside the mesh's silhouette: there the mesh lacks
/// a part. Thread-safe.
class Hollows {
  public:
    /// `mesh`: world space. Throws Cancelled.
    Hollows(const Mesh& mesh, std::span<const SilhouetteField* const> views, int threads,
            const std::stop_token& cancel);

    /// Depth within a hollow, in object units: above 0 inside of one, at most 0.015.
    /// `surfaceThickness`: depth in front of the mesh that still belongs to the object, in object
    /// units, 0 or more.
    float depth(glm::dvec3 world, float surfaceThickness) const;

  private:
    /// Rendered depths of the mesh from one camera.
    struct DepthMap {
        Camera camera;
        /// Mesh depth, minimum of 3×3 pixels; 0 at the background.
        std::vector<float> depth;
        /// Distance in pixels to the parts that the mesh lacks, negative inside; empty if it lacks
        /// none, or without a mask.
        std::vector<float> missingDistance;
    };

    static DepthMap depthMapFrom(const Camera& camera, const SilhouetteField* silhouette,
                                 const Mesh& mesh);

    std::vector<DepthMap> maps_;
};

}  // namespace threefold::hull
