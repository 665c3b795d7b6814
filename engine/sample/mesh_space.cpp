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

MeshSpace guessSpace(std::span<const glm::vec3> points, glm::dvec3 origin) {
    if (points.empty()) return MeshSpace::world;
    const auto [nearest, farthest] =
        std::ranges::minmax_element(points, std::greater(), &glm::vec3::z);
    constexpr double kMaxCentre = -0.4;  // halfway from objects in view space, at −0.8, to 0
    const double near = origin.z + nearest->z;
    const double far = origin.z + farthest->z;
    const bool isInFront = near < 0 && (near + far) / 2 < kMaxCentre;
    return isInFront ? MeshSpace::view : MeshSpace::world;
}

std::string_view truthSpaceName(TruthSpace space) {
    return kNames[static_cast<std::size_t>(space)];
}

TruthSpace truthSpaceFromName(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name) return static_cast<TruthSpace>(i);
    throw UsageError(
        {"`gt_space`", std::string(name), "there is no such space", "Use view, world or auto."});
}

}  // namespace threefold
