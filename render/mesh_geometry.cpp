#include "render/mesh_geometry.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"

namespace threefold::render {
namespace {

bool isFinite(glm::vec3 p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

void check(const SceneMesh& mesh) {
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        for (int corner = 0; corner < 3; ++corner) {
            if (mesh.faces[f][corner] < mesh.vertices.size()) continue;
            throw InputError({"mesh", fmt::format("face {}", f),
                              fmt::format("vertex index {}, but the mesh has {} vertices",
                                          mesh.faces[f][corner], mesh.vertices.size()),
                              "Check the file that the mesh came from."});
        }
    }
}

shared::MeshVertex makeVertex(glm::vec3 position) {
    if (isFinite(position)) return {position, 0U, glm::vec3(0.0F), 0.0F};
    return {glm::vec3(0.0F), 1U, glm::vec3(0.0F), 0.0F};
}

void addFace(MeshGeometry& geometry, glm::u32vec3 face) {
    shared::MeshVertex* corners[3];
    for (int i = 0; i < 3; ++i) {
        corners[i] = &geometry.vertices[face[i]];
        if (corners[i]->hidden != 0) return;
    }
    const glm::vec3 a = corners[0]->position;
    const glm::vec3 areaNormal = glm::cross(corners[1]->position - a, corners[2]->position - a);
    for (int i = 0; i < 3; ++i) {
        corners[i]->normal += areaNormal;
        geometry.indices.push_back(face[i]);
    }
}

void normalise(glm::vec3& normal) {
    const float size = glm::length(normal);
    normal = size > 0.0F && std::isfinite(size) ? normal / size : glm::vec3(0.0F);
}

void measure(MeshGeometry& geometry) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    glm::vec3 lowest(kInfinity), highest(-kInfinity);
    for (const shared::MeshVertex& vertex : geometry.vertices) {
        if (vertex.hidden != 0) continue;
        lowest = glm::min(lowest, vertex.position);
        highest = glm::max(highest, vertex.position);
    }
    if (!(lowest.x <= highest.x)) return;
    geometry.centre = 0.5F * lowest + 0.5F * highest;
    for (const shared::MeshVertex& vertex : geometry.vertices) {
        if (vertex.hidden != 0) continue;
        geometry.radius =
            std::max(geometry.radius, glm::distance(geometry.centre, vertex.position));
    }
}

}  // namespace

MeshGeometry makeGeometry(const SceneMesh& mesh) {
    check(mesh);
    MeshGeometry geometry;
    geometry.vertices.reserve(mesh.vertices.size());
    for (const glm::vec3 position : mesh.vertices) {
        geometry.vertices.push_back(makeVertex(position));
    }
    geometry.indices.reserve(3 * mesh.faces.size());
    for (const glm::u32vec3 face : mesh.faces) addFace(geometry, face);
    for (shared::MeshVertex& vertex : geometry.vertices) normalise(vertex.normal);
    measure(geometry);
    return geometry;
}

}  // namespace threefold::render
