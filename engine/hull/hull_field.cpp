#include "engine/hull/hull_field.h"

#include <algorithm>
#include <array>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/views/mask_distance.h"

namespace threefold::hull {
namespace {

constexpr float kFar = 10;  ///< beyond all distances within the cube, in object units
/// A pixel's centre decides on which side it lies: so far, in pixels, the outline may lie outside.
constexpr float kUncertain = 0.5F;
constexpr std::size_t kMostForgiven = 15;

bool anyInside(const Mask& mask, std::size_t first, std::size_t step) {
    for (int i = 0; i < mask.width; ++i, first += step)
        if (mask.inside[first] != 0) return true;
    return false;
}

}  // namespace

Projected project(const Camera& camera, glm::dvec3 world) {
    constexpr double kNear = 1e-3;
    const glm::dvec3 view = camera.toView(world);
    if (!(view.z < -kNear)) return {};
    const glm::dvec3 zoomed(camera.zoom * view.x, camera.zoom * view.y, view.z);
    return {glm::vec2(projectToPixel(zoomed) / double{kImageSize}),
            static_cast<float>(-view.z * kImageSize / (camera.zoom * kFocalLength)),
            static_cast<float>(-view.z)};
}

Silhouette::Silhouette(const Camera& camera, Mask mask) : camera_(camera), mask_(std::move(mask)) {
    removeSpecks(mask_);
    Mask whole = mask_;
    guessUnknown(whole);
    distance_ = signedDistances(whole);
    const auto side = static_cast<std::size_t>(mask_.width);
    openLeft_ = anyInside(whole, 0, side);
    openRight_ = anyInside(whole, side - 1, side);
    openTop_ = anyInside(whole, 0, 1);
    openBottom_ = anyInside(whole, side * (side - 1), 1);
}

float Silhouette::at(glm::dvec3 world) const {
    const Projected projected = project(camera_, world);
    if (projected.pictureExtent <= 0)
        return static_cast<float>(glm::distance(world, camera_.origin));
    const auto extent = static_cast<float>(mask_.width);
    const glm::vec2 place = projected.place * extent;
    if ((openLeft_ && place.x < 0) || (openRight_ && place.x > extent) ||
        (openTop_ && place.y < 0) || (openBottom_ && place.y > extent))
        return -kFar;
    const glm::vec2 within = glm::clamp(place - 0.5F, glm::vec2(0), glm::vec2(extent - 1));
    const int x = std::min(static_cast<int>(within.x), mask_.width - 2);
    const int y = std::min(static_cast<int>(within.y), mask_.width - 2);
    const glm::vec2 part = within - glm::vec2(x, y);
    const auto side = static_cast<std::size_t>(mask_.width);
    const float* const corner =
        distance_.data() + static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x);
    const float above = corner[0] + part.x * (corner[1] - corner[0]);
    const float below = corner[side] + part.x * (corner[side + 1] - corner[side]);
    float pixels = above + part.y * (below - above);
    const glm::vec2 beyond = glm::max(glm::max(-place, place - extent), glm::vec2(0));
    if (beyond.x > 0 || beyond.y > 0) pixels += glm::length(beyond);
    return (pixels - kUncertain) * projected.pictureExtent / extent;
}

HullField::HullField(std::vector<const Silhouette*> views, std::size_t forgiven)
    : views_(std::move(views)), rank_(1 + std::min(forgiven, kMostForgiven)) {}

float HullField::at(glm::dvec3 world, float most) const {
    std::array<float, kMostForgiven + 1> largest;  // the rank_ largest so far, descending
    std::fill_n(largest.begin(), rank_, -kFar);
    for (const Silhouette* view : views_) {
        float value = view->at(world);
        for (std::size_t i = 0; i < rank_; ++i)
            if (value > largest[i]) std::swap(value, largest[i]);
        if (largest[rank_ - 1] > most) break;
    }
    const glm::dvec3 away = glm::abs(world) - kReach;
    const double outOfCube = std::max({away.x, away.y, away.z});
    return std::max(largest[rank_ - 1], static_cast<float>(outOfCube));
}

}  // namespace threefold::hull
