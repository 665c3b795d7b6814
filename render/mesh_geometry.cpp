#include "render/mesh_geometry.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/bounding_box.h"
#include "engine/error.h"

namespace threefold::render {
namespace {

void checkFaces(const SceneMesh& mesh) {
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
    if (threefold::isFinite(position)) return {position, 0U, glm::vec3(0.0F), 0.0F};
    return {glm::vec3(0.0F), 1U, glm::vec3(0.0F), 0.0F};
}

// Adds a face; `areas`: sum of the doubled face areas at each vertex.
void addFace(MeshGeometry& geometry, glm::u32vec3 face, std::vector<float>& areas) {
    shared::MeshVertex* corners[3];
    for (int i = 0; i < 3; ++i) {
        corners[i] = &geometry.vertices[face[i]];
        if (corners[i]->hidden != 0) return;
    }
    const glm::vec3 a = corners[0]->position;
    const glm::vec3 doubledAreaNormal =
        glm::cross(corners[1]->position - a, corners[2]->position - a);
    const float area = glm::length(doubledAreaNormal);
    for (int i = 0; i < 3; ++i) {
        corners[i]->normal += doubledAreaNormal;
        areas[face[i]] += area;
        geometry.indices.push_back(face[i]);
    }
}

// Whether faces wind inconsistently: consistent neighbours run along their common edge in opposite
// directions.
bool hasMixedWinding(const MeshGeometry& geometry) {
    std::vector<std::uint64_t> edges;  // directed: from one vertex to the next
    edges.reserve(geometry.indices.size());
    for (std::size_t first = 0; first + 2 < geometry.indices.size(); first += 3)
        for (std::size_t i = 0; i < 3; ++i)
            edges.push_back(std::uint64_t{geometry.indices[first + i]} << 32U |
                            geometry.indices[first + (i + 1) % 3]);
    std::ranges::sort(edges);
    std::size_t repeated = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) repeated += edges[i] == edges[i - 1] ? 1 : 0;
    // Where more than two faces share an edge, consistent meshes repeat the edge, too: up to 1 % is
    // tolerated.
    constexpr std::size_t kEdgesPerRepeated = 100;
    return repeated * kEdgesPerRepeated > edges.size();
}

// Recomputes vertex normals of meshes with inconsistent winding, which many published meshes have:
// where such faces meet, normals cancel. If this happens at many vertices, each face's normal is
// added with the sign that agrees with the sum so far.
void alignNormals(MeshGeometry& geometry, const std::vector<float>& areas) {
    // Normals cancel if their sum is shorter than this fraction of the areas; a cube's corner keeps
    // 0.58.
    constexpr float kMinRelativeLength = 0.5F;
    // One cancelled normal in this many vertices is tolerated: sharp blades have such vertices,
    // too.
    constexpr std::size_t kVerticesPerCancelled = 64;
    std::size_t cancelled = 0;
    for (std::size_t i = 0; i < areas.size(); ++i)
        if (glm::length(geometry.vertices[i].normal) < kMinRelativeLength * areas[i]) ++cancelled;
    if (cancelled * kVerticesPerCancelled <= areas.size() || !hasMixedWinding(geometry)) return;
    geometry.mixedWinding = true;
    for (shared::MeshVertex& vertex : geometry.vertices) vertex.normal = glm::vec3(0.0F);
    for (std::size_t first = 0; first + 2 < geometry.indices.size(); first += 3) {
        shared::MeshVertex* corners[3];
        for (std::size_t i = 0; i < 3; ++i)
            corners[i] = &geometry.vertices[geometry.indices[first + i]];
        const glm::vec3 normal = glm::cross(corners[1]->position - corners[0]->position,
                                            corners[2]->position - corners[0]->position);
        for (shared::MeshVertex* corner : corners)
            corner->normal += glm::dot(normal, corner->normal) < 0 ? -normal : normal;
    }
}

void findBounds(MeshGeometry& geometry) {
    Box3f box;
    for (const shared::MeshVertex& vertex : geometry.vertices)
        if (vertex.hidden == 0) box.include(vertex.position);
    if (box.isEmpty()) return;
    MeshBounds& bounds = geometry.bounds;
    bounds.centre = 0.5F * box.min + 0.5F * box.max;  // min + max may be infinite
    for (const shared::MeshVertex& vertex : geometry.vertices) {
        if (vertex.hidden != 0) continue;
        bounds.radius = std::max(bounds.radius, glm::distance(bounds.centre, vertex.position));
    }
}

}  // namespace

MeshGeometry makeGeometry(const SceneMesh& mesh) {
    checkFaces(mesh);
    MeshGeometry geometry;
    geometry.vertices.reserve(mesh.vertices.size());
    for (const glm::vec3 position : mesh.vertices)
        geometry.vertices.push_back(makeVertex(position));
    geometry.indices.reserve(3 * mesh.faces.size());
    std::vector<float> areas(mesh.vertices.size());
    for (const glm::u32vec3 face : mesh.faces) addFace(geometry, face, areas);
    alignNormals(geometry, areas);
    for (shared::MeshVertex& vertex : geometry.vertices) {
        const float size = glm::length(vertex.normal);
        vertex.normal = size > 0.0F && std::isfinite(size) ? vertex.normal / size : glm::vec3(0.0F);
    }
    findBounds(geometry);
    return geometry;
}

}  // namespace threefold::render
