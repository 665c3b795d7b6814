#pragma once

#include <optional>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>

#include "engine/board/radial_lens.h"
#include "engine/transform.h"

namespace threefold::board {

/// Fits a homography from plane points to pixels by least squares; takes at least four pairs, no
/// three points in a line. nullopt if there is no solution.
std::optional<glm::dmat3> findHomography(const std::vector<glm::dvec2>& from,
                                         const std::vector<glm::dvec2>& to);

/// Pose of the plane z = 0 from its homography into the picture of a lens without distortion.
RigidTransform poseFromHomography(const glm::dmat3& homography, const RadialLens& lens);

}  // namespace threefold::board
