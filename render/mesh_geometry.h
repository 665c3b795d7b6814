#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// Sphere around the finite vertices of a mesh.
struct MeshBounds {
    glm::vec3 centre{0.0F};  ///< centre of the box around the finite vertices
    float radius = 0.0F;     ///< radius of the sphere around `centre` with all finite vertices
};

/// Mesh data in the layout of the shaders. Vertices that are not finite are marked hidden, and
/// their faces omitted.
struct MeshGeometry {
    std::vector<shared::MeshVertex> vertices;  ///< in the order of the mesh
    std::vector<std::uint32_t> indices;        ///< three per face
    MeshBounds bounds;
    bool mixedWinding = false;  ///< faces wind inconsistently
};

/// Checks the mesh and computes its vertex normals, each face weighted by its area.
/// Throws InputError: a face index out of range.
MeshGeometry makeGeometry(const SceneMesh& mesh);

}  // namespace threefold::render
