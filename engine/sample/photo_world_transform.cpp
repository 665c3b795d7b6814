#include "engine/sample/photo_world_transform.h"

#include <cmath>

#include <glm/geometric.hpp>

#include "engine/formats/meshes/mesh_origin.h"
#include "engine/mesh.h"

namespace threefold {

glm::dvec3 PhotoWorldTransform::origin() const {
    const glm::dvec3 half(kObjectDiagonal / toObject_.scale / 2 / std::sqrt(3.0));
    return originFor({toObject_.sourceOrigin - half, toObject_.sourceOrigin + half});
}

bool PhotoWorldTransform::isZUp() const {
    constexpr double kMinCosine = 0.866;
    const glm::dvec3 up = fromObject({0, 1, 0}) - fromObject({0, 0, 0});
    return up.z > kMinCosine * glm::length(up);
}

}  // namespace threefold
