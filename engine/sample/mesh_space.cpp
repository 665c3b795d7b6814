#include "engine/sample/mesh_space.h"

#include <algorithm>

namespace threefold {

MeshSpace guessSpace(std::span<const glm::vec3> points) {
    if (points.empty()) return MeshSpace::world;
    const auto [nearest, farthest] =
        std::minmax_element(points.begin(), points.end(),
                            [](const glm::vec3& a, const glm::vec3& b) { return a.z > b.z; });
    constexpr float kBetween = -0.4F;
    const bool before = nearest->z < 0 && (nearest->z + farthest->z) / 2 < kBetween;
    return before ? MeshSpace::view : MeshSpace::world;
}

}  // namespace threefold
