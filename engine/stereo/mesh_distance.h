#pragma once

#include <stop_token>
#include <vector>

#include "engine/mesh.h"
#include "engine/stereo/voxel_grid.h"

namespace threefold::stereo {

/// Signed distance to a closed mesh at each point of a grid, below 0 inside, clamped to
/// ±`maxDistance`. Points with positive winding number are inside; folds and overlaps do no harm.
/// The result does not depend on the number of threads. Throws Cancelled.
std::vector<float> signedDistance(const VoxelGrid& grid, const Mesh& mesh, float maxDistance,
                                  int threads, const std::stop_token& cancel);

}  // namespace threefold::stereo
