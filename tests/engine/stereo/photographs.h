#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::test {

/// A photograph of a mesh in world space, whose surface has a solid texture of several sizes:
/// `contrast` grey levels around 128, darker where it is steep to the light; background of another
/// grey. Square, `side` pixels, the camera's whole 224×224 picture; transparent in the background.
/// The light comes from above, or stands beside the camera, as a lamp beside a turntable does.
enum class Lamp { fixed, besideCamera };
Image texturedPhotograph(const Mesh& mesh, const Camera& camera, int side, double contrast,
                         Lamp lamp = Lamp::fixed);

}  // namespace threefold::test
