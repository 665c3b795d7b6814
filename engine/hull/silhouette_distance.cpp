#include "engine/hull/silhouette_distance.h"

#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/views/bilinear.h"

namespace threefold::hull {
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

ProjectedPoint project(const Camera& camera, glm::dvec3 world) {
    const glm::dvec3 view = camera.toCamera(world);
    if (!(view.z < -kNearPlane)) return {};
    return {glm::vec2(camera.project(view) / double{kInputSide}),
            static_cast<float>(-view.z * kInputSide / camera.focalLength()),
            static_cast<float>(-view.z)};
}

SilhouetteDistance::SilhouetteDistance(const Camera& camera, Mask mask)
    : camera_(camera), mask_(std::move(mask)) {
    removeSpecksAndHoles(mask_);
    Mask whole = mask_;
    fillUnknown(whole);
    distance_ = signedDistances(whole);
    const auto side = static_cast<std::size_t>(mask_.width);
    openLeft_ = anyInside(whole, 0, side);
    openRight_ = anyInside(whole, side - 1, side);
    openTop_ = anyInside(whole, 0, 1);
    openBottom_ = anyInside(whole, side * (side - 1), 1);
}

float SilhouetteDistance::signedDistance(glm::dvec3 world) const {
    const ProjectedPoint projected = project(camera_, world);
    if (projected.unitsAcrossPicture <= 0)
        return static_cast<float>(glm::distance(world, camera_.centre));
    const auto extent = static_cast<float>(mask_.width);
    const glm::vec2 pixel = projected.position * extent;
    if ((openLeft_ && pixel.x < 0) || (openRight_ && pixel.x > extent) ||
        (openTop_ && pixel.y < 0) || (openBottom_ && pixel.y > extent))
        return kNoInformation;
    const auto [index, fraction] = bilinearCell(pixel, mask_.width);
    const auto side = static_cast<std::size_t>(mask_.width);
    const float* const corner = distance_.data() + index;
    const float above = corner[0] + fraction.x * (corner[1] - corner[0]);
    const float below = corner[side] + fraction.x * (corner[side + 1] - corner[side]);
    float pixels = above + fraction.y * (below - above);
    const glm::vec2 beyond = glm::max(glm::max(-pixel, pixel - extent), glm::vec2(0));
    if (beyond.x > 0 || beyond.y > 0) pixels += glm::length(beyond);
    return (pixels - kPixelMargin) * projected.unitsAcrossPicture / extent;
}

SilhouetteSet::SilhouetteSet(std::size_t count,
                             const std::function<SilhouetteDistance(std::size_t index)>& make,
                             int threads, const std::stop_token& cancel)
    : owned_(count) {
    parallelFor(threads, count, cancel, [&](std::size_t i, std::size_t /*thread*/) {
        owned_[i] = std::make_unique<const SilhouetteDistance>(make(i));
    });
    for (const auto& silhouette : owned_) all_.push_back(silhouette.get());
}

void SilhouetteSet::add(const Camera& camera, Mask mask) {
    owned_.push_back(std::make_unique<const SilhouetteDistance>(camera, std::move(mask)));
    all_.push_back(owned_.back().get());
}

}  // namespace threefold::hull
