#include "engine/network/pooling.h"

#include <algorithm>
#include <array>

#include <glm/matrix.hpp>

namespace threefold {

ViewProjection::Pixel ViewProjection::project(glm::dvec3 point) const {
    const glm::dvec2 pixel = projectToPixel(rotation * point + offset);
    const double last = kImageSize - 1;
    // NaN (a point in the camera's plane at its centre) goes to 0 like any other clamped value.
    const auto clamped = [last](double v) { return v > 0.0 ? std::min(v, last) : 0.0; };
    return {clamped(pixel.y), clamped(pixel.x)};
}

std::vector<ViewProjection> projectionsFrom(std::span<const Camera> cameras) {
    std::vector<ViewProjection> projections;
    if (cameras.empty()) return projections;
    const glm::dmat3 toWorld = glm::transpose(cameras[0].rotation);
    for (const Camera& camera : cameras) {
        projections.push_back(
            {camera.rotation * toWorld, camera.rotation * (cameras[0].origin - camera.origin)});
    }
    return projections;
}

FeaturePooling::FeaturePooling(std::vector<ViewProjection> projections,
                               std::vector<FeatureMap> maps, SamplerKind sampler,
                               const simd::Kernels& kernels)
    : projections_(std::move(projections)),
      maps_(std::move(maps)),
      sampler_(sampler),
      kernels_(&kernels) {
    for (const FeatureMap& map : maps_) channels_ += map.channels;
}

simd::Corners FeaturePooling::cornersBilinear(const FeatureMap& map, std::size_t view,
                                              ViewProjection::Pixel pixel) const {
    const double toMap = static_cast<double>(map.side) / kImageSize;
    const double last = static_cast<double>(map.side - 1);
    const double x = std::min(pixel.row * toMap, last);
    const double y = std::min(pixel.column * toMap, last);
    const auto x1 = static_cast<std::size_t>(x);
    const auto y1 = static_cast<std::size_t>(y);
    const double dx = x - static_cast<double>(x1);
    const double dy = y - static_cast<double>(y1);
    // At an integer, floor and ceiling are equal, and the published weights of both are 0.
    const bool betweenRows = dx > 0.0;
    const bool betweenColumns = dy > 0.0;
    const double ax = betweenRows ? 1.0 - dx : 0.0;
    const double ay = betweenColumns ? 1.0 - dy : 0.0;
    const std::size_t x2 = betweenRows ? x1 + 1 : x1;
    const std::size_t y2 = betweenColumns ? y1 + 1 : y1;
    const float* base = map.values + view * map.side * map.side * map.channels;
    const auto at = [&](std::size_t row, std::size_t column) {
        return base + (row * map.side + column) * map.channels;
    };
    return {{at(x1, y1), at(x2, y1), at(x1, y2), at(x2, y2)},
            {static_cast<float>(ax * ay), static_cast<float>(dx * ay), static_cast<float>(ax * dy),
             static_cast<float>(dx * dy)}};
}

simd::Corners FeaturePooling::cornersNearestFirst(const FeatureMap& map,
                                                  ViewProjection::Pixel pixel) const {
    const double toMap = static_cast<double>(map.side) / kImageSize;
    const auto row = static_cast<std::size_t>(pixel.row * toMap);
    const auto column = static_cast<std::size_t>(pixel.column * toMap);
    // The published code reads the first view's maps for every view (METHOD.md §5).
    const float* value = map.values + (row * map.side + column) * map.channels;
    return {{value, value, value, value}, {1.0F, 0.0F, 0.0F, 0.0F}};
}

void FeaturePooling::pool(glm::vec3 point, float* out) const {
    const std::size_t views = projections_.size();
    std::array<ViewProjection::Pixel, kMostViews> pixels{};
    for (std::size_t view = 0; view < views; ++view) {
        pixels[view] = projections_[view].project(point);
    }
    out[0] = point.x;
    out[1] = point.y;
    out[2] = point.z;
    float* maximum = out + 3;
    for (const FeatureMap& map : maps_) {
        std::array<simd::Corners, kMostViews> corners{};
        for (std::size_t view = 0; view < views; ++view) {
            corners[view] = sampler_ == SamplerKind::bilinearEach
                                ? cornersBilinear(map, view, pixels[view])
                                : cornersNearestFirst(map, pixels[view]);
        }
        kernels_->pool(corners.data(), views, map.channels, maximum, maximum + channels_,
                       maximum + 2 * channels_);
        maximum += map.channels;
    }
}

}  // namespace threefold
