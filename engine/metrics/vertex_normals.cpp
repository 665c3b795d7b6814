#include "engine/metrics/vertex_normals.h"

#include <cstddef>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"

namespace threefold {

std::vector<glm::vec3> vertexNormals(std::span<const glm::vec3> vertices,
                                     std::span<const glm::u32vec3> faces) {
    std::vector<glm::dvec3> sums(vertices.size(), glm::dvec3(0.0));
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const glm::u32vec3& face = faces[i];
        for (int corner = 0; corner < 3; ++corner) {
            if (face[corner] < vertices.size()) continue;
            throw InputError(
                {"mesh", fmt::format("face {}", i),
                 fmt::format("names the vertex {}, there are {}", face[corner], vertices.size()),
                 "Export the mesh again."});
        }
        const glm::dvec3 a = vertices[face.x];
        const glm::dvec3 normal =
            glm::cross(glm::dvec3(vertices[face.y]) - a, glm::dvec3(vertices[face.z]) - a);
        for (int corner = 0; corner < 3; ++corner) sums[face[corner]] += normal;
    }
    std::vector<glm::vec3> normals;
    normals.reserve(sums.size());
    for (const glm::dvec3& sum : sums) {
        const double length = glm::length(sum);
        normals.emplace_back(length > 0 ? sum / length : glm::dvec3(0.0));
    }
    return normals;
}

}  // namespace threefold
