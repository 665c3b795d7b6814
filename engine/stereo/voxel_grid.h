#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/compute/parallel.h"
#include "engine/mesh.h"

namespace threefold::stereo {

/// Points of a cubic grid in a box. Coordinates are whole multiples of the spacing, as in
/// hull::marchingCubes(). z varies fastest.
struct VoxelGrid {
    double spacing = 0;   ///< object units
    glm::ivec3 first{0};  ///< the lowest point, in spacings
    glm::ivec3 size{0};   ///< points along each axis

    /// A grid around a mesh with `cells` cells along its longest side and `margin` more points
    /// on each side. Throws InputError if the mesh is a point, has coordinates that are not finite,
    /// or lies more than 2³⁰ spacings from the origin.
    static VoxelGrid around(const Mesh& mesh, int cells, int margin);

    std::size_t count() const {
        return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
               static_cast<std::size_t>(size.z);
    }
    std::size_t index(glm::ivec3 point) const {
        return (static_cast<std::size_t>(point.x) * static_cast<std::size_t>(size.y) +
                static_cast<std::size_t>(point.y)) *
                   static_cast<std::size_t>(size.z) +
               static_cast<std::size_t>(point.z);
    }
    glm::dvec3 position(glm::ivec3 point) const { return spacing * glm::dvec3(first + point); }
};

/// Calls `visit` with each point, on several threads; one thread visits all points of a plane x = …
/// in order. Throws Cancelled; exceptions of `visit` propagate.
template <class Visit>
void forEachPoint(const VoxelGrid& grid, int threads, const std::stop_token& cancel,
                  const Visit& visit) {
    parallelFor(threads, static_cast<std::size_t>(grid.size.x), cancel,
                [&](std::size_t x, std::size_t /*thread*/) {
                    glm::ivec3 point(static_cast<int>(x), 0, 0);
                    for (point.y = 0; point.y < grid.size.y; ++point.y)
                        for (point.z = 0; point.z < grid.size.z; ++point.z) visit(point);
                });
}

/// Interpolates values linearly; returns `outside` beyond the grid.
float interpolated(const VoxelGrid& grid, std::span<const float> values, glm::dvec3 position,
                   float outside);

}  // namespace threefold::stereo
