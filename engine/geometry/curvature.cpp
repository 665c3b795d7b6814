#include "engine/geometry/curvature.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <glm/geometric.hpp>

#include "engine/geometry/mesh_edges.h"

namespace threefold {
namespace {

/// Sums over the faces around a vertex.
struct Ring {
    glm::dvec3 laplacian{0.0};  // Σ (cot α + cot β) (x_i − x_j)
    glm::dvec3 normal{0.0};     // Σ face normal × twice its area
    double area = 0.0;          // mixed Voronoi
};

void addFace(const glm::u32vec3& face, std::span<const glm::vec3> vertices,
             std::vector<Ring>& rings) {
    std::array<glm::dvec3, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = glm::dvec3(vertices[face[i]]);
    const glm::dvec3 normal = glm::cross(x[1] - x[0], x[2] - x[0]);
    const double twiceArea = glm::length(normal);
    if (!(twiceArea > 0)) return;

    std::array<double, 3> dot;
    for (int i = 0; i < 3; ++i) dot[i] = glm::dot(x[(i + 1) % 3] - x[i], x[(i + 2) % 3] - x[i]);
    const bool obtuse = std::ranges::any_of(dot, [](double c) { return c < 0; });
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        Ring& ring = rings[face[i]];
        // The angle at k is opposite edge ij, the angle at j opposite edge ik.
        const double cotK = dot[k] / twiceArea;
        const double cotJ = dot[j] / twiceArea;
        ring.laplacian += cotK * (x[i] - x[j]) + cotJ * (x[i] - x[k]);
        ring.normal += normal;
        if (!obtuse) {
            const glm::dvec3 ij = x[j] - x[i];
            const glm::dvec3 ik = x[k] - x[i];
            ring.area += (cotK * glm::dot(ij, ij) + cotJ * glm::dot(ik, ik)) / 8;
        } else {
            ring.area += twiceArea / (dot[i] < 0 ? 4 : 8);
        }
    }
}

/// Whether each vertex is the end of a border edge, which belongs to one face only.
std::vector<bool> borderVertices(std::size_t vertexCount, std::span<const glm::u32vec3> faces) {
    std::vector<bool> border(vertexCount, false);
    for (const MeshEdge& edge : meshEdges(faces))
        if (edge.faceCount == 1) border[edge.low] = border[edge.high] = true;
    return border;
}

}  // namespace

std::vector<float> meanCurvature(std::span<const glm::vec3> vertices,
                                 std::span<const glm::u32vec3> faces) {
    requireValidFaces(vertices.size(), faces);
    std::vector<Ring> rings(vertices.size());
    for (const glm::u32vec3& face : faces) addFace(face, vertices, rings);

    const std::vector<bool> border = borderVertices(vertices.size(), faces);
    std::vector<float> curvature(vertices.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Ring& ring = rings[i];
        const double length = glm::length(ring.normal);
        if (border[i] || !(ring.area > 0) || !(length > 0)) continue;
        const double alongNormal = glm::dot(ring.laplacian, ring.normal) / length;
        curvature[i] = static_cast<float>(alongNormal / (4 * ring.area));
    }
    return curvature;
}

}  // namespace threefold
