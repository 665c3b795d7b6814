#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <glm/vec3.hpp>

#include "engine/bounding_box.h"
#include "engine/mesh.h"

namespace threefold {

struct LoadedMesh;

/// Distance from 0, in diagonals of the mesh's box, beyond which LoadedMesh::origin is not 0.
inline constexpr double kFarFromZero = 32;

/// The origin moves to the points if its distance from their centre is more than this multiple of
/// their median distance from the centre. No object has so large a ratio; below it, floats
/// represent the shape well enough.
inline constexpr double kFarFromMost = 1024;

/// LoadedMesh::origin of a shape in `box`, which is not empty: the box's centre, rounded to few
/// digits, or 0 if floats hold the shape.
glm::dvec3 originFor(const Box3d& box);

/// LoadedMesh::origin of `count` finite points, at least one, in `box`: originFor(box), or a point
/// near most points if these lie together, farther from originFor(box) than kFarFromMost allows. A
/// scanner's invalid points at 0 enlarge the box, and must not cost the other points their
/// precision. `point` gives a point by its index, in any precision, and is called for some
/// thousands of points at most.
glm::dvec3 originFor(const Box3d& box, std::size_t count,
                     const std::function<glm::dvec3(std::size_t)>& point);

/// Gives points of full precision relative to an origin; the result is valid until the next call.
using RelativeTo = std::function<std::span<const glm::vec3>(const glm::dvec3& origin)>;

/// Chooses LoadedMesh::origin of points, given as floats round them; 0 if there are none, or a
/// coordinate is not finite. Calls `relativeTo` once unless the rounded points suffice: the points
/// are then relative to the origin of the call, which may differ from the chosen one. Points that
/// floats round to one point, but are distinct, have an origin there.
glm::dvec3 chooseOrigin(std::span<const glm::vec3> rounded, const RelativeTo& relativeTo);

/// Points less their origin, as LoadedMesh holds them.
struct RelativePoints {
    Points points;
    glm::dvec3 origin{0.0};
};

/// Points of double precision in memory, relative to the origin that readMesh() would give them in
/// a file.
RelativePoints relativePoints(std::span<const glm::dvec3> points);

/// Makes points relative to the origin `to`, which are relative to the origin `from`.
void moveOrigin(std::span<glm::vec3> points, const glm::dvec3& from, const glm::dvec3& to);
/// Makes the vertices relative to another origin.
void moveOrigin(LoadedMesh& mesh, glm::dvec3 origin);

}  // namespace threefold
