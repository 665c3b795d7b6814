#pragma once

#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// A normal for each corner of each face (three a face), of length 1: the mean, by angle, of the
/// faces around that stand at less than 40° to its own, so that edges stay sharp and round things
/// become smooth. Vertices at one place count as one. Files' own normals are not asked: in the wild
/// they are as often wrong as right. Faces have area.
std::vector<glm::vec3> creaseNormals(const Mesh& mesh);

}  // namespace threefold
