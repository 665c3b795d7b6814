#include "engine/hull/small_components.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

#include "engine/geometry/vertex_sets.h"

namespace threefold::hull {

void dropSmallComponents(Mesh& mesh) {
    VertexSets sets(mesh.vertices.size());
    for (const glm::u32vec3 face : mesh.faces) {
        sets.join(face.y, face.x);
        sets.join(face.z, face.x);
    }
    std::vector<double> volume(mesh.vertices.size());
    for (const glm::u32vec3 face : mesh.faces) {
        const glm::dvec3 a(mesh.vertices[face.x]);
        const glm::dvec3 b(mesh.vertices[face.y]);
        volume[sets.rootOf(face.x)] +=
            glm::dot(a, glm::cross(b, glm::dvec3(mesh.vertices[face.z])));
    }
    constexpr double kMinRatio = 0.0003;
    const double minVolume =
        volume.empty() ? 0 : kMinRatio * *std::max_element(volume.begin(), volume.end());
    const auto isKept = [&](std::uint32_t vertex) {
        return volume[sets.rootOf(vertex)] >= minVolume;
    };
    std::erase_if(mesh.faces, [&](glm::u32vec3 face) { return !isKept(face.x); });
    std::vector<std::uint32_t> newIndex(mesh.vertices.size());
    Points vertices;
    for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i) {
        newIndex[i] = static_cast<std::uint32_t>(vertices.size());
        if (isKept(i)) vertices.push_back(mesh.vertices[i]);
    }
    for (glm::u32vec3& face : mesh.faces)
        face = {newIndex[face.x], newIndex[face.y], newIndex[face.z]};
    mesh.vertices = std::move(vertices);
}

}  // namespace threefold::hull
