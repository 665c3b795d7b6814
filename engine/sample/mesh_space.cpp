#include "engine/sample/mesh_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include <glm/geometric.hpp>

#include "engine/bounding_box.h"
#include "engine/error.h"

namespace threefold {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"", "view", "world", "auto"};

}  // namespace

MeshSpace detectSpace(std::span<const glm::vec3> points, glm::dvec3 origin) {
    if (points.empty()) return MeshSpace::world;
    const auto [nearest, farthest] =
        std::ranges::minmax_element(points, std::greater(), &glm::vec3::z);
    constexpr double kMaxCentre = -0.4;  // halfway from objects in camera space, at −0.8, to 0
    const double near = origin.z + nearest->z;
    const double far = origin.z + farthest->z;
    const bool isInFront = near < 0 && (near + far) / 2 < kMaxCentre;
    return isInFront ? MeshSpace::camera : MeshSpace::world;
}

std::optional<double> suspiciousSizeRatio(std::span<const glm::vec3> mesh,
                                          std::span<const glm::vec3> truth) {
    constexpr double kMaxRatio = 5;
    if (mesh.empty() || truth.empty()) return std::nullopt;
    const auto diagonal = [](std::span<const glm::vec3> points) {
        const Box3f box = boundsOf(points);
        return glm::distance(glm::dvec3(box.min), glm::dvec3(box.max));
    };
    const double ratio = diagonal(mesh) / diagonal(truth);
    if (!(ratio > 0) || !std::isfinite(ratio)) return std::nullopt;
    if (ratio <= kMaxRatio && ratio >= 1 / kMaxRatio) return std::nullopt;
    return ratio;
}

std::string_view truthSpaceName(TruthSpaceChoice space) {
    return kNames[static_cast<std::size_t>(space)];
}

TruthSpaceChoice truthSpaceFromName(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name) return static_cast<TruthSpaceChoice>(i);
    throw UsageError(
        {"`gt_space`", std::string(name), "there is no such space", "Use view, world or auto."});
}

}  // namespace threefold
