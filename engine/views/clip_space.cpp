#include "engine/views/clip_space.h"

namespace threefold {

std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Camera& from,
                                   const Camera& to) {
    constexpr double kReach = kFocalLength / kImageCentre;
    // Depth is −near/w: exact except for the rounding of w, so `near` can be this small.
    constexpr double kNear = 1e-3;
    std::vector<glm::vec4> corners;
    corners.reserve(points.size());
    for (const glm::vec3& point : points) {
        const glm::dvec3 view = betweenViews(from, to, glm::dvec3(point));
        corners.emplace_back(kReach * view.x, -kReach * view.y, -kNear, -view.z);
    }
    return corners;
}

}  // namespace threefold
