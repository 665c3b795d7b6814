#include "engine/hull/hull_field.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/raster/camera_depths.h"

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

constexpr int kPicture = 448;  // of the pictures that the mesh is drawn into
/// Parts that the mesh lacks are farther from its outline, in pixels of the 224×224 projection.
constexpr float kLacked = 2.5F;
/// Beyond it, values are cut: a hollow's field is no distance where a nearer part begins.
constexpr float kMost = 0.015F;

/// From outside the object: along the axes and the cube's diagonals.
std::vector<Camera> directions() {
    constexpr double kAway = 1.5;
    constexpr double kDiagonal = 35.26;  // degrees
    std::vector<Camera> cameras;
    for (int quarter = 0; quarter < 4; ++quarter)
        for (const auto& [azimuth, elevation] :
             {std::pair{0.0, 0.0}, std::pair{45.0, kDiagonal}, std::pair{45.0, -kDiagonal}})
            cameras.push_back(Camera::fromRow({90.0 * quarter + azimuth, elevation, 0, kAway, 25}));
    for (const double elevation : {90.0, -90.0})
        cameras.push_back(Camera::fromRow({0, elevation, 0, kAway, 25}));
    return cameras;
}

/// The least of each 3×3 values: a surface that is seen aslant may lie as near as that.
std::vector<float> leastAround(const std::vector<float>& depths) {
    std::vector<float> least(depths.size());
    for (int y = 1; y + 1 < kPicture; ++y)
        for (int x = 1; x + 1 < kPicture; ++x) {
            const std::size_t at = static_cast<std::size_t>(y * kPicture + x);
            float value = depths[at];
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    value = std::min(
                        value, depths[static_cast<std::size_t>((y + dy) * kPicture + x + dx)]);
            least[at] = value;
        }
    return least;
}

bool hasBoth(const Mask& mask) {
    const auto inside = std::accumulate(mask.inside.begin(), mask.inside.end(), std::size_t{0});
    return inside > 0 && inside < mask.inside.size();
}

/// Pixels to the parts of `mask` that are far from what is drawn; empty where there is none.
std::vector<float> toLacked(const Mask& mask, const Mask& drawn) {
    if (!hasBoth(drawn)) return {};
    const float beyond = kLacked * kPicture / kImageSize;
    const std::vector<float> toDrawn = signedDistances(drawn);
    Mask core{mask.width, mask.height, {}};
    for (std::size_t i = 0; i < mask.inside.size(); ++i)
        core.inside.push_back(mask.inside[i] != 0 && toDrawn[i] > beyond ? 1 : 0);
    if (!hasBoth(core)) return {};
    std::vector<float> distance = signedDistances(core);
    for (float& each : distance) each -= beyond;
    return distance;
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

HullField::HullField(std::vector<const Silhouette*> views, std::size_t tolerated)
    : views_(std::move(views)), rank_(1 + std::min(tolerated, kMostForgiven)) {}

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

Hollows::View Hollows::seenFrom(const Camera& camera, const Silhouette* silhouette,
                                const Mesh& mesh) {
    View view{camera, {}, {}};
    view.ground = cameraDepths(mesh, camera, kPicture);
    Mask drawn{kPicture, kPicture, {}};
    for (const float depth : view.ground) drawn.inside.push_back(depth > 0 ? 1 : 0);
    view.ground = leastAround(view.ground);
    if (silhouette != nullptr)
        view.lacked = toLacked(resized(silhouette->mask(), kPicture, kPicture), drawn);
    return view;
}

Hollows::Hollows(const Mesh& mesh, std::span<const Silhouette* const> views, int threads,
                 const std::stop_token& cancel) {
    std::vector<std::pair<Camera, const Silhouette*>> from;
    for (const Silhouette* view : views) from.emplace_back(view->camera(), view);
    for (const Camera& camera : directions()) from.emplace_back(camera, nullptr);
    views_.resize(from.size());
    parallelFor(threads, from.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
        views_[i] = seenFrom(from[i].first, from[i].second, mesh);
    });
}

float Hollows::at(glm::dvec3 world) const {
    float before = -kMost;                      // the mesh, at most of all views
    std::array<float, 2> lacked{kMost, kMost};  // the two least
    for (const View& view : views_) {
        const Projected seen = project(view.camera, world);
        const glm::vec2 pixel = seen.place * static_cast<float>(kPicture);
        if (seen.depth == 0 || !(pixel.x >= 0 && pixel.y >= 0)) continue;
        if (pixel.x >= kPicture || pixel.y >= kPicture) continue;
        const std::size_t at =
            static_cast<std::size_t>(pixel.y) * kPicture + static_cast<std::size_t>(pixel.x);
        if (view.ground[at] > 0) before = std::max(before, view.ground[at] - seen.depth);
        if (view.lacked.empty()) continue;
        const float value = view.lacked[at] * seen.pictureExtent / kPicture;
        if (value < lacked[0])
            lacked = {value, lacked[0]};
        else
            lacked[1] = std::min(lacked[1], value);
    }
    return std::min({before - skin_, lacked[1], kMost});
}

}  // namespace threefold::hull
