#pragma once

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold {

/// Draws the mask of a mesh in the view of `camera`: the pixels whose centres the mesh covers.
/// Vertices are in the space of the pose `meshPose` (Pose{}: the world). The image shows the whole
/// 224×224 projection (METHOD.md §2), scaled independently in width and height, as preprocess()
/// does. `extent`: width and height of the shown rectangle, as multiples of the projection's; it
/// begins at the projection's upper left corner, and reaches beyond the projection if above 1.
/// Throws InputError: no faces, a face without its vertices, coordinates that are not finite, a
/// size that cannot be drawn.
Mask renderMask(const Points& vertices, const Faces& faces, const Pose& meshPose,
                const Camera& camera, int width, int height, glm::dvec2 extent = {1, 1});

}  // namespace threefold
