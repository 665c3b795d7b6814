#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/views/ray.h"

namespace threefold {

/// Maximum distance of a ray (an optical axis, or a ray through a mask's centre) from the point
/// nearest to all rays, as a fraction of the camera's distance from this point. As an angle: 19°.
inline constexpr double kMaxRayResidual = 0.35;

/// Distance of a point from a ray as a fraction of the distance along the ray; infinite behind the
/// ray's origin.
double rayResidual(const Ray& ray, glm::dvec3 point);

/// Whether every ray comes within kMaxRayResidual of a point.
bool allRaysMeet(std::span<const Ray> rays, glm::dvec3 point);

/// How closely rays approach a point.
struct RayAgreement {
    std::size_t behindCount = 0;  ///< rays for which the point lies behind the origin
    std::size_t worstRay = 0;     ///< index of the ray with the largest finite residual
    double worstResidual = 0;     ///< rayResidual() of that ray
};
/// Compares rays with a point; `rays` may be empty.
RayAgreement rayAgreementOf(std::span<const Ray> rays, glm::dvec3 point);

/// Rays that miss the point where the others meet.
struct RayOutliers {
    std::vector<std::size_t> rays;  ///< indices, in the order in which they were found
    glm::dvec3 point{0.0};          ///< nearest to all other rays, where these meet
};

/// Finds rays to leave out so that all others meet: at most a quarter of the rays, and at least
/// three must remain. nullopt: no such rays, or the remaining rays are parallel. `rays`: one or
/// more.
std::optional<RayOutliers> findOutlierRays(std::span<const Ray> rays);

}  // namespace threefold
