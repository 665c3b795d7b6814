#include "engine/views/camera.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold {

Camera Camera::fromRow(const CameraRow& row) {
    constexpr double kRadians = std::numbers::pi / 180.0;
    const double azimuth = row.azimuth * kRadians;
    const double elevation = row.elevation * kRadians;
    const double height = row.distance * std::sin(elevation);
    const double reach = row.distance * std::cos(elevation);

    const glm::dvec3 z(reach * std::cos(azimuth), height, reach * std::sin(azimuth));
    const glm::dvec3 y(-height * std::cos(azimuth), reach, -height * std::sin(azimuth));
    const glm::dvec3 x = glm::cross(y, z);

    Camera camera;
    camera.rotation =
        glm::transpose(glm::dmat3(glm::normalize(x), glm::normalize(y), glm::normalize(z)));
    camera.origin = z;
    return camera;
}

glm::dvec3 Camera::toView(glm::dvec3 world) const {
    return rotation * (world - origin);
}

glm::dvec3 Camera::toWorld(glm::dvec3 view) const {
    return glm::transpose(rotation) * view + origin;
}

glm::dvec2 projectToPixel(glm::dvec3 view) {
    return {-kFocalLength * view.x / view.z + kImageCentre,
            kFocalLength * view.y / view.z + kImageCentre};
}

glm::dvec3 betweenViews(const Camera& from, const Camera& to, glm::dvec3 point) {
    return to.toView(from.toWorld(point));
}

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
