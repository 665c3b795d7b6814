#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include <glm/vec3.hpp>

#include "engine/bounding_box.h"

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

/// The point at which most of several points lie, estimated from some thousands of them; nullopt:
/// they differ, or there is one point only. Points that floats round to one point may be distinct
/// in their file.
std::optional<glm::dvec3> coincidencePoint(std::size_t count,
                                           const std::function<glm::dvec3(std::size_t)>& point);

/// Makes the vertices relative to another origin.
void moveOrigin(LoadedMesh& mesh, glm::dvec3 origin);

}  // namespace threefold
