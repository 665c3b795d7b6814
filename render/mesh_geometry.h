#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// A mesh as the shaders read it. Vertices that are not finite are marked hidden; their faces are
/// left out.
struct MeshGeometry {
    std::vector<shared::MeshVertex> vertices;  ///< in the order of the mesh's
    std::vector<std::uint32_t> indices;        ///< three per face
    glm::vec3 centre{0.0F};                    ///< of the box around the finite vertices
    float radius = 0.0F;                       ///< of the sphere around `centre` with all vertices
};

/// Checks the mesh and computes its vertex normals, each face weighted by its area.
/// Throws InputError: a face index out of range.
MeshGeometry makeGeometry(const SceneMesh& mesh);

}  // namespace threefold::render
