#pragma once

#include <limits>
#include <span>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace threefold {

/// Axis-aligned bounding box, in any coordinate system. Empty until a point is included: then `min`
/// is above `max`, and centre(), diagonal() and squaredDistanceTo() have no meaning.
template <class Vector>
struct BoundingBox {
    using Scalar = typename Vector::value_type;

    Vector min{std::numeric_limits<Scalar>::infinity()};
    Vector max{-std::numeric_limits<Scalar>::infinity()};

    bool isEmpty() const { return min.x > max.x; }
    Vector centre() const { return (min + max) / Scalar{2}; }
    Scalar diagonal() const { return glm::length(max - min); }
    /// Squared distance of the box from a point; 0 within the box.
    Scalar squaredDistanceTo(const Vector& point) const {
        const Vector offset = glm::max(glm::max(min - point, point - max), Vector(0));
        return glm::dot(offset, offset);
    }

    void include(const Vector& point) {
        min = glm::min(min, point);
        max = glm::max(max, point);
    }
    void include(std::span<const Vector> points) {
        for (const Vector& point : points) include(point);
    }
};

using Box2d = BoundingBox<glm::dvec2>;
using Box3d = BoundingBox<glm::dvec3>;
using Box3f = BoundingBox<glm::vec3>;

/// Bounding box of at least one point.
inline Box3f boundsOf(std::span<const glm::vec3> points) {
    Box3f box{points.front(), points.front()};
    box.include(points);
    return box;
}

}  // namespace threefold
