#include "engine/sample/mesh_space.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "engine/error.h"

namespace threefold {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"", "view", "world", "auto"};

}  // namespace

MeshSpace guessSpace(std::span<const glm::vec3> points) {
    if (points.empty()) return MeshSpace::world;
    const auto [nearest, farthest] =
        std::ranges::minmax_element(points, std::greater(), &glm::vec3::z);
    constexpr float kBetween = -0.4F;
    const bool before = nearest->z < 0 && (nearest->z + farthest->z) / 2 < kBetween;
    return before ? MeshSpace::view : MeshSpace::world;
}

std::string_view truthSpaceName(TruthSpace space) {
    return kNames[static_cast<std::size_t>(space)];
}

TruthSpace truthSpaceFromName(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name) return static_cast<TruthSpace>(i);
    throw UsageError(
        {"--gt-space", std::string(name), "there is no such space", "Use view, world or auto."});
}

}  // namespace threefold
