#pragma once

#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// Computes a unit normal for each corner of each face (three per face): the angle-weighted mean of
/// the normals of adjacent faces that are at less than 40° to the corner's own face. Edges stay
/// sharp, round surfaces become smooth. Vertices at the same position count as one. Ignores normals
/// from files, which are often wrong. All faces must have area. Throws Cancelled.
std::vector<glm::vec3> creaseNormals(const Mesh& mesh, const std::stop_token& cancel = {});

}  // namespace threefold
