#pragma once

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::test {

/// Where the light comes from: from above, or from beside each camera, which is how a turntable's
/// lamp lights the turning object.
enum class Lamp { fixed, besideCamera };
/// Renders a mesh in world space, shaded, with a solid texture: noise of several sizes, scaled by
/// `contrast` grey levels. The background is transparent and grey (90 to 96). The picture has
/// side × side pixels and shows the camera's whole 224×224 projection.
Image texturedPhotograph(const Mesh& mesh, const Camera& camera, int side, double contrast,
                         Lamp lamp = Lamp::fixed);

}  // namespace threefold::test
