#include "engine/views/view_directions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "engine/views/camera.h"

namespace threefold {

double angleBetween(const CameraRow& one, const CameraRow& other) {
    const glm::dvec3 a = glm::normalize(Camera::fromRow(one).origin);
    const glm::dvec3 b = glm::normalize(Camera::fromRow(other).origin);
    // Exact for small angles too, where the cosine alone is not.
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 180 / std::numbers::pi;
}

std::optional<SimilarView> tooSimilar(std::span<const CameraRow> chosen, std::size_t place) {
    std::optional<SimilarView> nearest;
    for (std::size_t other = 0; other < chosen.size(); ++other) {
        if (other == place) continue;
        const double angle = angleBetween(chosen[place], chosen[other]);
        if (angle < (nearest ? nearest->angle : kTooSimilar)) nearest = {other, angle};
    }
    return nearest;
}

}  // namespace threefold
