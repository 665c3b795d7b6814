#pragma once

#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/views/camera.h"
#include "engine/views/foreground.h"

namespace threefold::ui {

/// A straight line in a 224×224 image, in pixels (METHOD.md §2): x to the right, y down.
struct ImageLine {
    glm::dvec2 from{0.0};
    glm::dvec2 to{0.0};
};

/// How a mesh lies in a view: projectToPixel of all its vertices, and what follows from it. Pure
/// functions of their arguments, for any thread.
struct Projection {
    std::vector<glm::dvec2> pixels;  ///< one for each vertex, not clamped
    std::vector<bool> inFront;       ///< false: behind the camera, its pixel means nothing
};

/// `world`: vertices in ShapeNet's world space.
Projection project(const Points& world, const Camera& camera);

/// Where the mesh covers the image, on a grid twice as fine as the image's own. Empty where it
/// cannot be drawn: coordinates that are not finite, faces without their vertices.
Mask coverageOf(const Points& world, const Faces& faces, const Camera& camera);

/// A covered cell with an uncovered one or the image's border beside it, or an uncovered one. All
/// of an empty coverage is.
bool atBorder(const Mask& coverage, glm::dvec2 pixel);

/// The silhouette: edges between a front-facing and a back-facing face and edges of a single face,
/// as far as they lie at the border of what the mesh covers. Folds in front of the mesh itself are
/// not part of it.
std::vector<ImageLine> silhouette(const Projection& projection, const Faces& faces,
                                  const Mask& coverage);

/// Every edge once.
std::vector<ImageLine> wireframe(const Projection& projection, const Faces& faces);

/// What stands for the object before there is a mesh: an ellipsoid at its place, as large as most
/// (METHOD.md §2: unit-box diagonal scaled by 0.57), in ShapeNet's world space.
Mesh placeholderMesh();

}  // namespace threefold::ui
