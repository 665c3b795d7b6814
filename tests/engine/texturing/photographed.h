#pragma once

#include <functional>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/texturing/texture_view.h"
#include "engine/views/camera.h"

namespace threefold::test {

/// The surface's colour at a point; values outside 0…255 are clipped.
using Paint = std::function<glm::vec3(glm::vec3 point)>;

/// Colours that change slowly over the object.
glm::vec3 smooth(glm::vec3 point);

/// A picture of the mesh in the colours of `paint`, on a magenta, transparent background.
TextureView photographed(const Mesh& mesh, const Camera& camera, const Paint& paint);

/// Pictures by `count` cameras of camerasAround().
std::vector<TextureView> allAround(const Mesh& mesh, const Paint& paint, int count = 12);

}  // namespace threefold::test
