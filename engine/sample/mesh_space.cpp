#include "engine/sample/mesh_space.h"

#include <algorithm>
#include <functional>

namespace threefold {

MeshSpace guessSpace(std::span<const glm::vec3> points) {
    if (points.empty()) return MeshSpace::world;
    const auto [nearest, farthest] =
        std::ranges::minmax_element(points, std::greater(), &glm::vec3::z);
    constexpr float kBetween = -0.4F;
    const bool before = nearest->z < 0 && (nearest->z + farthest->z) / 2 < kBetween;
    return before ? MeshSpace::view : MeshSpace::world;
}

}  // namespace threefold
