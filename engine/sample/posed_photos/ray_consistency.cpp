#include "engine/sample/posed_photos/ray_consistency.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <glm/geometric.hpp>

namespace threefold {

double rayResidual(const Ray& ray, glm::dvec3 point) {
    const glm::dvec3 offset = point - ray.origin;
    const double along = glm::dot(offset, ray.direction);
    if (along <= 0) return std::numeric_limits<double>::infinity();
    return glm::length(offset - along * ray.direction) / along;
}

bool allRaysMeet(std::span<const Ray> rays, glm::dvec3 point) {
    return std::ranges::all_of(
        rays, [&](const Ray& ray) { return rayResidual(ray, point) <= kMaxRayResidual; });
}

RayAgreement rayAgreementOf(std::span<const Ray> rays, glm::dvec3 point) {
    RayAgreement agreement;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const double residual = rayResidual(rays[i], point);
        if (residual == std::numeric_limits<double>::infinity()) {
            ++agreement.behindCount;
        } else if (residual > agreement.worstResidual) {
            agreement.worstResidual = residual;
            agreement.worstRay = i;
        }
    }
    return agreement;
}

std::optional<RayOutliers> findOutlierRays(std::span<const Ray> rays) {
    constexpr std::size_t kMinRemaining = 3;
    constexpr std::size_t kMinRaysPerOutlier = 4;
    std::vector<Ray> remaining(rays.begin(), rays.end());
    std::vector<std::size_t> indices(rays.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    RayOutliers outliers;
    std::optional<glm::dvec3> common = triangulate(remaining);
    while (common && !allRaysMeet(remaining, *common) && remaining.size() > kMinRemaining &&
           kMinRaysPerOutlier * (outliers.rays.size() + 1) <= rays.size()) {
        const auto worst = std::ranges::max_element(
            remaining, {}, [&](const Ray& ray) { return rayResidual(ray, *common); });
        const auto index = indices.begin() + (worst - remaining.begin());
        outliers.rays.push_back(*index);
        indices.erase(index);
        remaining.erase(worst);
        common = triangulate(remaining);
    }
    if (!common || !allRaysMeet(remaining, *common)) return std::nullopt;
    outliers.point = *common;
    return outliers;
}

}  // namespace threefold
