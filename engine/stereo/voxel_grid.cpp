#include "engine/stereo/voxel_grid.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "engine/bounding_box.h"
#include "engine/error.h"

namespace threefold::stereo {

VoxelGrid VoxelGrid::around(const Mesh& mesh, int cells, int margin) {
    const Box3f bounds = boundsOf(mesh.vertices);
    const glm::vec3 extent = bounds.max - bounds.min;
    VoxelGrid grid;
    grid.spacing = double{std::max({extent.x, extent.y, extent.z})} / cells;
    constexpr double kMaxSpacings = 1 << 30;  // so that an int can hold a coordinate
    const glm::vec3 farthest = glm::max(glm::abs(bounds.min), glm::abs(bounds.max));
    const double maxCoordinate = std::max({farthest.x, farthest.y, farthest.z});
    if (!(grid.spacing > 0 && maxCoordinate / grid.spacing < kMaxSpacings))
        throw InputError(
            {"mesh", "",
             fmt::format("is {} long, {} from the origin", grid.spacing * cells, maxCoordinate),
             "Give a mesh with an extent, near the origin."});
    for (int axis = 0; axis < 3; ++axis) {
        grid.first[axis] = static_cast<int>(std::floor(bounds.min[axis] / grid.spacing)) - margin;
        grid.size[axis] = static_cast<int>(std::ceil(bounds.max[axis] / grid.spacing)) + margin +
                          1 - grid.first[axis];
    }
    return grid;
}

float interpolated(const VoxelGrid& grid, std::span<const float> values, glm::dvec3 position,
                   float outside) {
    const glm::dvec3 coordinates = position / grid.spacing - glm::dvec3(grid.first);
    const glm::dvec3 low = glm::floor(coordinates);
    for (int axis = 0; axis < 3; ++axis)
        if (!(low[axis] >= 0) || low[axis] + 1 >= grid.size[axis]) return outside;
    const glm::ivec3 cell(low);
    const glm::vec3 fraction(coordinates - low);
    const std::size_t corner = grid.index(cell);
    const std::size_t alongX =
        static_cast<std::size_t>(grid.size.y) * static_cast<std::size_t>(grid.size.z);
    const auto alongY = static_cast<std::size_t>(grid.size.z);
    const auto line = [&](std::size_t from) {
        return values[from] + fraction.z * (values[from + 1] - values[from]);
    };
    const auto face = [&](std::size_t from) {
        const float near = line(from);
        return near + fraction.y * (line(from + alongY) - near);
    };
    const float near = face(corner);
    return near + fraction.x * (face(corner + alongX) - near);
}

}  // namespace threefold::stereo
