#pragma once

#include <span>
#include <stop_token>

#include <glm/vec3.hpp>

#include "engine/transform.h"

namespace threefold {

/// Whether two clouds are already aligned: their boxes' diagonals differ by less than a third, and
/// the boxes' centres by less than a quarter of the target's diagonal. Neither may be empty.
bool areAligned(std::span<const glm::vec3> points, std::span<const glm::vec3> target);

/// Aligns `points` with `target`, both evenly distributed on a surface, by a similarity transform:
/// iterative closest points in both directions (Besl and McKay 1992; rotation by Horn 1987),
/// starting from equal size and centroid and from each of the 24 right-angle rotations, the
/// identity first; a later start wins only if its distance is a fifth smaller than the best so far,
/// so that symmetric objects are not rotated. Uses 2 000 points of each cloud. Takes about half a
/// second. Throws InputError (fewer than three points, all equal, not finite) and Cancelled.
SimilarityTransform alignByIcp(std::span<const glm::vec3> points, std::span<const glm::vec3> target,
                               const std::stop_token& cancel = {});

}  // namespace threefold
