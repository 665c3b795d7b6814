#include "engine/stereo/silhouette_bound.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

#include "engine/compute/parallel.h"

namespace threefold::stereo {
namespace {

constexpr int kBlock = 4;  ///< points along a side of a cube of the grid

bool isBorder(const VoxelGrid& grid, glm::ivec3 at) {
    for (int axis = 0; axis < 3; ++axis)
        if (at[axis] == 0 || at[axis] + 1 == grid.size[axis]) return true;
    return false;
}

/// Fills one cube of points. All points lie on the same side of the surface if the cube's centre is
/// farther from the surface than from the cube's corners.
void fillBlock(const VoxelGrid& grid, const hull::HullField& field, glm::ivec3 first,
               SilhouetteBound& bound) {
    const double radius = std::sqrt(3.0) / 2 * (kBlock - 1) * grid.spacing;
    const auto threshold =
        static_cast<float>(hull::HullField::kMaxSlope * radius) + bound.maxDistance;
    const glm::dvec3 centre = grid.spacing * (glm::dvec3(grid.first + first) + (kBlock - 1) / 2.0);
    const float value = field.signedDistance(centre, threshold);
    if (value > threshold) return;
    const auto halfSpacing = static_cast<float>(grid.spacing / 2);
    const glm::ivec3 end = glm::min(first + kBlock, grid.size);
    for (int x = first.x; x < end.x; ++x)
        for (int y = first.y; y < end.y; ++y)
            for (int z = first.z; z < end.z; ++z) {
                const glm::ivec3 at(x, y, z);
                if (isBorder(grid, at)) continue;
                const std::size_t index = grid.index(at);
                float& distance = bound.distance[index];
                distance =
                    value < -threshold
                        ? -bound.maxDistance
                        : std::clamp(field.signedDistance(grid.position(at), bound.maxDistance),
                                     -bound.maxDistance, bound.maxDistance);
                bound.inside[index] = distance < halfSpacing ? 1 : 0;
            }
}

}  // namespace

SilhouetteBound silhouetteBound(const VoxelGrid& grid, const hull::HullField& field,
                                float maxDistance, int threads, const std::stop_token& cancel) {
    SilhouetteBound bound{std::vector<float>(grid.count(), maxDistance),
                          std::vector<std::uint8_t>(grid.count()), maxDistance};
    const glm::ivec3 blocks = (grid.size + (kBlock - 1)) / kBlock;
    parallelFor(threads, static_cast<std::size_t>(blocks.x), cancel,
                [&](std::size_t x, std::size_t /*thread*/) {
                    for (int y = 0; y < blocks.y; ++y)
                        for (int z = 0; z < blocks.z; ++z)
                            fillBlock(grid, field, kBlock * glm::ivec3(static_cast<int>(x), y, z),
                                      bound);
                });
    return bound;
}

}  // namespace threefold::stereo
