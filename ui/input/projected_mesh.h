#pragma once

#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold::ui {

/// Mesh projected into a view by Camera::project(). All functions in this file are pure and may run
/// on any thread.
struct ProjectedMesh {
    std::vector<glm::dvec2> pixels;  ///< one for each vertex, not clamped
    std::vector<bool> inFront;       ///< false: behind the camera; the pixel is meaningless
};

/// Projects `world`, vertices in ShapeNet's world space.
ProjectedMesh project(const Points& world, const Camera& camera);

/// Silhouette of a mesh; by default twice as fine as the network's image. Empty if the mesh cannot
/// be drawn: coordinates that are not finite, faces with invalid indices.
Mask silhouetteMask(const Points& world, const Faces& faces, const Camera& camera,
                    int width = 2 * kInputSide, int height = 2 * kInputSide);

/// Ellipsoid drawn before there is a mesh, in ShapeNet's world space, of typical position and size:
/// its box is centred at the origin, with a diagonal of 0.63 (objects of METHOD.md §2: 0.57).
Mesh placeholderMesh();

}  // namespace threefold::ui
