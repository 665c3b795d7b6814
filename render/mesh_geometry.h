#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// Extent of a mesh, and how its faces wind.
struct MeshTraits {
    glm::vec3 centre{0.0F};     ///< centre of the box around the finite vertices
    float radius = 0.0F;        ///< radius of the sphere around `centre` with all finite vertices
    bool mixedWinding = false;  ///< faces wind inconsistently
};

/// Mesh data in the layout of the shaders. Vertices that are not finite are marked hidden, and
/// their faces omitted.
struct MeshGeometry {
    std::vector<shared::MeshVertex> vertices;  ///< in the order of the mesh
    std::vector<std::uint32_t> indices;        ///< three per face
    MeshTraits traits;
};

/// Checks the mesh and computes its vertex normals, each face weighted by its area.
/// Throws InputError: a face index out of range.
MeshGeometry makeGeometry(const SceneMesh& mesh);

}  // namespace threefold::render
