#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/hull/hull_field.h"
#include "engine/stereo/voxel_grid.h"

namespace threefold::stereo {

/// Silhouettes' signed distance at the points of a grid: an outer bound of the surface.
struct SilhouetteBound {
    /// Signed distance to the visual hull in object units, clamped to ±`maxDistance`; `maxDistance`
    /// at the grid's border.
    std::vector<float> distance;
    std::vector<std::uint8_t> inside;  ///< 1 within the hull and up to half a spacing outside
    float maxDistance = 0;
};

/// Samples a hull's field. Far from the surface the value at the centre of a cube of 4×4×4 points
/// decides for all of them. The result does not depend on the number of threads. Throws Cancelled.
SilhouetteBound silhouetteBound(const VoxelGrid& grid, const hull::HullField& field,
                                float maxDistance, int threads, const std::stop_token& cancel);

}  // namespace threefold::stereo
