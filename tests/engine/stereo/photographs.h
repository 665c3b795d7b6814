#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::test {

/// Renders a mesh in world space with a solid texture of several sizes, `contrast` grey levels
/// around 128 and shaded, in front of a transparent background of another grey. The picture has
/// side × side pixels and shows the camera's whole 224×224 projection. The light comes from above,
/// or from beside the camera, as from a lamp beside a turntable.
enum class Lamp { fixed, besideCamera };
Image texturedPhotograph(const Mesh& mesh, const Camera& camera, int side, double contrast,
                         Lamp lamp = Lamp::fixed);

}  // namespace threefold::test
