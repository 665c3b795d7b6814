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

/// A mesh in a view: projectToPixel() of all its vertices. All functions here are pure, for any
/// thread.
struct Projection {
    std::vector<glm::dvec2> pixels;  ///< one for each vertex, not clamped
    std::vector<bool> inFront;       ///< false: behind the camera, its pixel means nothing
};

/// `world`: vertices in ShapeNet's world space.
Projection project(const Points& world, const Camera& camera);

/// Where the mesh covers the image, in cells; by default twice as fine as the network's image.
/// Empty if it cannot be drawn: coordinates that are not finite, faces without their vertices.
Mask coverageOf(const Points& world, const Faces& faces, const Camera& camera,
                int width = 2 * kImageSize, int height = 2 * kImageSize);

/// Whether the pixel's cell is uncovered or next to an uncovered one or to the image's border.
bool atBorder(const Mask& coverage, glm::dvec2 pixel);

/// The silhouette: edges between a front-facing and a back-facing face and edges of a single face,
/// where they lie at the border of the coverage. Excludes folds in front of the mesh itself.
std::vector<ImageLine> silhouette(const Projection& projection, const Faces& faces,
                                  const Mask& coverage);

/// Every edge once.
std::vector<ImageLine> wireframe(const Projection& projection, const Faces& faces);

/// The ellipsoid drawn before there is a mesh: of usual place and size (METHOD.md §2: unit-box
/// diagonal scaled by 0.57), in ShapeNet's world space.
Mesh placeholderMesh();

}  // namespace threefold::ui
