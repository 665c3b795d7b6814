#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace threefold {

using Faces =
    std::vector<glm::u32vec3>;  ///< 0-based vertex indices, counter-clockwise seen from outside
using Points = std::vector<glm::vec3>;

/// Triangle mesh in object units (METHOD.md §2: the unit-box diagonal scaled by 0.57).
struct Mesh {
    Points vertices;
    Faces faces;
};

/// Whether all coordinates are finite.
inline bool isFinite(const glm::dvec3& point) {
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
}

/// A face's normal; its length is twice the face's area.
inline glm::dvec3 areaNormal(std::span<const glm::vec3> vertices, const glm::u32vec3& face) {
    const glm::dvec3 a = vertices[face.x];
    return glm::cross(glm::dvec3(vertices[face.y]) - a, glm::dvec3(vertices[face.z]) - a);
}

/// Axis-aligned bounding box of at least one point.
struct Bounds {
    explicit Bounds(std::span<const glm::vec3> points) : low(points.front()), high(low) {
        include(points);
    }
    void include(std::span<const glm::vec3> points) {
        for (const glm::vec3& point : points) {
            low = glm::min(low, point);
            high = glm::max(high, point);
        }
    }

    glm::vec3 low;
    glm::vec3 high;
};

}  // namespace threefold
