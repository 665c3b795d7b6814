#pragma once

#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// A unit normal for each corner of each face (three per face): the mean, weighted by angle, of the
/// adjacent faces at less than 40° to its own. Edges stay sharp, round surfaces become smooth.
/// Vertices at the same position count as one. Normals in files are ignored: they are often wrong.
/// All faces must have area.
std::vector<glm::vec3> creaseNormals(const Mesh& mesh);

}  // namespace threefold
