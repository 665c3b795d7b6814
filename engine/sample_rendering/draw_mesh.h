#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Draws a mesh from the camera of its space (METHOD.md §2: the reference view's), in shaded grey
/// with two-sided lighting, on a transparent background. Omits faces that reach behind the camera,
/// or with corners that are not finite or missing. The image is square with `side` > 0 pixels.
/// Deterministic. Any thread.
Image drawMesh(const Points& vertices, const Faces& faces, int side);

/// Draws a truth as drawMesh() does: its surface, or small squares at its points, perpendicular to
/// their normals.
Image drawTruth(const GroundTruth& truth, int side);

}  // namespace threefold
