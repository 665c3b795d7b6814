#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "engine/bounding_box.h"

namespace threefold {

using Faces =
    std::vector<glm::u32vec3>;  ///< 0-based vertex indices, counter-clockwise seen from outside
using Points = std::vector<glm::vec3>;

/// Diagonal of an object's bounding box, in object units (METHOD.md §2).
inline constexpr double kObjectDiagonal = 0.57;

/// Triangle mesh. The unit depends on the source: object units (kObjectDiagonal) for meshes from
/// the network, the file's own unit for meshes from a file.
struct Mesh {
    Points vertices;
    Faces faces;
};

/// Whether all three coordinates of the point are finite.
inline bool isFinite(const glm::dvec3& point) {
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
}

/// Normal of a face, twice as long as the face's area.
inline glm::dvec3 doubledAreaNormal(std::span<const glm::vec3> vertices, const glm::u32vec3& face) {
    const glm::dvec3 a = vertices[face.x];
    return glm::cross(glm::dvec3(vertices[face.y]) - a, glm::dvec3(vertices[face.z]) - a);
}

/// Throws InputError if a face's vertex index is not below `vertexCount`.
void requireValidFaces(std::size_t vertexCount, std::span<const glm::u32vec3> faces);

}  // namespace threefold
