#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::test {

/// A photograph of a mesh in world space, whose surface has a solid texture of several sizes:
/// `contrast` grey levels around 128, darker where it is steep to the light; background of another
/// grey. Square, `side` pixels, the camera's whole 224×224 picture; transparent in the background.
Image texturedPhotograph(const Mesh& mesh, const Camera& camera, int side, double contrast);

}  // namespace threefold::test
