#include "engine/views/pose.h"

#include <glm/matrix.hpp>

#include "engine/mesh.h"

namespace threefold {

glm::dvec3 Pose::toCamera(glm::dvec3 world) const {
    return rotation * (world - centre);
}

glm::dvec3 Pose::toWorld(glm::dvec3 pointInCamera) const {
    return glm::transpose(rotation) * pointInCamera + centre;
}

bool Pose::isFinite() const {
    return threefold::isFinite(centre) && threefold::isFinite(rotation[0]) &&
           threefold::isFinite(rotation[1]) && threefold::isFinite(rotation[2]);
}

glm::dvec3 transformBetweenCameras(const Pose& from, const Pose& to, glm::dvec3 point) {
    return to.toCamera(from.toWorld(point));
}

}  // namespace threefold
