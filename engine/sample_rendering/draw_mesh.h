#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Draws a mesh from the camera in whose space the mesh is (METHOD.md §2: the reference view's
/// camera), in shaded grey with two-sided lighting, on a transparent background. Omits faces that
/// reach behind the camera, or have a corner that is not finite or does not exist. The image is
/// square with `side` > 0 pixels. Deterministic. Any thread.
Image drawMesh(const Points& vertices, const Faces& faces, int side);

/// Draws a truth as drawMesh() does: its surface, or small squares at its points, perpendicular to
/// their normals.
Image drawTruth(const GroundTruth& truth, int side);

}  // namespace threefold
