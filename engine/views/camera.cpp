#include "engine/views/camera.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

namespace threefold {

Camera Camera::fromRow(const CameraRow& row) {
    const double azimuth = glm::radians(row.azimuth);
    const double elevation = glm::radians(row.elevation);
    const double height = row.distance * std::sin(elevation);
    const double horizontal = row.distance * std::cos(elevation);

    const glm::dvec3 z(horizontal * std::cos(azimuth), height, horizontal * std::sin(azimuth));
    const glm::dvec3 y(-height * std::cos(azimuth), horizontal, -height * std::sin(azimuth));
    const glm::dvec3 x = glm::cross(y, z);

    Camera camera;
    camera.rotation =
        glm::transpose(glm::dmat3(glm::normalize(x), glm::normalize(y), glm::normalize(z)));
    camera.centre = z;
    const bool isTrainedDistance =
        row.distance >= kMinTrainedDistance && row.distance <= kMaxTrainedDistance;
    if (!isTrainedDistance) camera.zoom = row.distance / kDefaultDistance;
    return camera;
}

bool Camera::isValid() const {
    return isFinite() && std::isfinite(zoom) && zoom > 0;
}

glm::dmat3 Camera::zoomedRotation() const {
    glm::dmat3 rows = rotation;
    for (int column = 0; column < 3; ++column) {
        rows[column].x *= zoom;
        rows[column].y *= zoom;
    }
    return rows;
}

double Camera::focalLength() const {
    return zoom * kFocalLength;
}

glm::dvec2 Camera::project(glm::dvec3 pointInCamera) const {
    return projectToPixel({zoom * pointInCamera.x, zoom * pointInCamera.y, pointInCamera.z});
}

glm::dvec2 projectToPixel(glm::dvec3 pointInCamera) {
    return {-kFocalLength * pointInCamera.x / pointInCamera.z + kPrincipalPoint,
            kFocalLength * pointInCamera.y / pointInCamera.z + kPrincipalPoint};
}

std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Pose& from,
                                   const Camera& to) {
    const double scale = to.zoom * kFocalLength / kPrincipalPoint;
    // Depth is −kNearPlane/w, exact except for the rounding of w, so that a near plane close to the
    // camera costs no precision.
    std::vector<glm::vec4> clipPoints;
    clipPoints.reserve(points.size());
    for (const glm::vec3& point : points) {
        const glm::dvec3 pointInCamera = transformBetweenCameras(from, to, glm::dvec3(point));
        clipPoints.emplace_back(scale * pointInCamera.x, -scale * pointInCamera.y, -kNearPlane,
                                -pointInCamera.z);
    }
    return clipPoints;
}

}  // namespace threefold
