#pragma once

#include <vector>

#include <glm/vec2.hpp>

#include "engine/views/mask.h"
#include "ui/input/projected_mesh.h"

namespace threefold::ui {

/// A straight line in a 224×224 image, in pixels (METHOD.md §2): x to the right, y down.
struct ImageLine {
    glm::dvec2 from{0.0};
    glm::dvec2 to{0.0};
};

/// Whether the cell of `pixel` is uncovered, or next to an uncovered cell or the image's border.
bool isAtBorder(const Mask& silhouette, glm::dvec2 pixel);

/// Outline of the silhouette: edges between a front-facing and a back-facing face, and edges of a
/// single face, where they lie at the border of `silhouette`. Excludes folds in front of the mesh
/// itself.
std::vector<ImageLine> outlineOf(const ProjectedMesh& projection, const Faces& faces,
                                 const Mask& silhouette);

/// Edges of all faces in front of the camera, each once.
std::vector<ImageLine> wireframe(const ProjectedMesh& projection, const Faces& faces);

}  // namespace threefold::ui
