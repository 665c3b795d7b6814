#include "engine/geometry/vertex_normals.h"

#include <glm/geometric.hpp>

namespace threefold {

std::vector<glm::vec3> vertexNormals(std::span<const glm::vec3> vertices,
                                     std::span<const glm::u32vec3> faces) {
    std::vector<glm::dvec3> sums(vertices.size(), glm::dvec3(0.0));
    requireValidFaces(vertices.size(), faces);
    for (const glm::u32vec3& face : faces) {
        const glm::dvec3 normal = doubledAreaNormal(vertices, face);
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
