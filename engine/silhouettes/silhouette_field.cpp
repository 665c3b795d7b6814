#include "engine/silhouettes/silhouette_field.h"

#include <cstddef>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/views/bilinear.h"

namespace threefold {
namespace {

/// Offset of the outline in pixels: a pixel counts by its centre, so the outline may lie this far
/// outside.
constexpr float kPixelMargin = 0.5F;

bool anyInside(const Mask& mask, std::size_t first, std::size_t step) {
    for (int i = 0; i < mask.width; ++i, first += step)
        if (mask.inside[first] != 0) return true;
    return false;
}

}  // namespace

ProjectedPoint projectToPicture(const Camera& camera, glm::dvec3 world) {
    const glm::dvec3 inCamera = camera.toCamera(world);
    if (!(inCamera.z < -kNearPlane)) return {};
    return {glm::vec2(camera.project(inCamera) / double{kInputSide}),
            static_cast<float>(-inCamera.z * kInputSide / camera.focalLength()),
            static_cast<float>(-inCamera.z)};
}

SilhouetteField::SilhouetteField(const Camera& camera, Mask mask)
    : camera_(camera), mask_(std::move(mask)) {
    removeSpecksAndHoles(mask_);
    Mask whole = mask_;
    fillUnknown(whole);
    distances_ = signedDistances(whole);
    const auto side = static_cast<std::size_t>(mask_.width);
    continuesLeft_ = anyInside(whole, 0, side);
    continuesRight_ = anyInside(whole, side - 1, side);
    continuesTop_ = anyInside(whole, 0, 1);
    continuesBottom_ = anyInside(whole, side * (side - 1), 1);
}

float SilhouetteField::signedDistance(glm::dvec3 world) const {
    const ProjectedPoint projected = projectToPicture(camera_, world);
    if (projected.unitsAcrossPicture <= 0)
        return static_cast<float>(glm::distance(world, camera_.centre));
    const auto extent = static_cast<float>(mask_.width);
    const glm::vec2 pixel = projected.position * extent;
    if ((continuesLeft_ && pixel.x < 0) || (continuesRight_ && pixel.x > extent) ||
        (continuesTop_ && pixel.y < 0) || (continuesBottom_ && pixel.y > extent))
        return kNoInformation;
    const auto [index, fraction] = bilinearCell(pixel, mask_.width);
    const auto side = static_cast<std::size_t>(mask_.width);
    const float* const corner = distances_.data() + index;
    const float above = corner[0] + fraction.x * (corner[1] - corner[0]);
    const float below = corner[side] + fraction.x * (corner[side + 1] - corner[side]);
    float pixels = above + fraction.y * (below - above);
    const glm::vec2 beyond = glm::max(glm::max(-pixel, pixel - extent), glm::vec2(0));
    if (beyond.x > 0 || beyond.y > 0) pixels += glm::length(beyond);
    return (pixels - kPixelMargin) * projected.unitsAcrossPicture / extent;
}

}  // namespace threefold
