#include "engine/network/pooling.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <glm/matrix.hpp>

namespace threefold {
namespace {

static_assert(kMaxInputViews <= simd::kMaxPooledViews);

template <class Value>
simd::CornersOf<Value> cornersBilinear(const FeatureMap& map, std::size_t view,
                                       FeatureProjection::Pixel pixel) {
    const double toMap = static_cast<double>(map.side) / kInputSide;
    const double last = static_cast<double>(map.side - 1);
    const double row = std::min(pixel.row * toMap, last);
    const double column = std::min(pixel.column * toMap, last);
    const auto firstRow = static_cast<std::uint32_t>(row);
    const auto firstColumn = static_cast<std::uint32_t>(column);
    const double lower = row - firstRow;
    const double right = column - firstColumn;
    // As published: at integer coordinates all weights are 0, so the feature is 0 (METHOD.md §5).
    const bool betweenRows = lower > 0.0;
    const bool betweenColumns = right > 0.0;
    const double upper = betweenRows ? 1.0 - lower : 0.0;
    const double left = betweenColumns ? 1.0 - right : 0.0;
    const std::size_t rowSize = map.side * map.channels;
    const Value* corner = std::get<const Value*>(map.values) +
                          (view * map.side + firstRow) * rowSize + firstColumn * map.channels;
    const std::size_t below = betweenRows ? rowSize : 0;
    const std::size_t beside = betweenColumns ? map.channels : 0;
    return {{corner, corner + below, corner + beside, corner + below + beside},
            {static_cast<float>(upper * left), static_cast<float>(lower * left),
             static_cast<float>(upper * right), static_cast<float>(lower * right)}};
}

template <class Value>
simd::CornersOf<Value> cornersNearestFirst(const FeatureMap& map, FeatureProjection::Pixel pixel) {
    const double toMap = static_cast<double>(map.side) / kInputSide;
    const auto row = static_cast<std::size_t>(pixel.row * toMap);
    const auto column = static_cast<std::size_t>(pixel.column * toMap);
    // The published code reads the first view's maps for every view (METHOD.md §5).
    const Value* value =
        std::get<const Value*>(map.values) + (row * map.side + column) * map.channels;
    return {{value, value, value, value}, {1.0F, 0.0F, 0.0F, 0.0F}};
}

}  // namespace

FeatureProjection::Pixel FeatureProjection::project(glm::dvec3 point) const {
    const glm::dvec2 pixel = projectToPixel(rotation * point + translation);
    const double last = kInputSide - 1;
    // A point at the camera's centre projects to NaN, which becomes 0.
    const auto clamped = [last](double v) { return v > 0.0 ? std::min(v, last) : 0.0; };
    return {clamped(pixel.y), clamped(pixel.x)};
}

std::vector<FeatureProjection> projectionsFrom(std::span<const Camera> cameras,
                                               double depthOffset) {
    std::vector<FeatureProjection> projections;
    if (cameras.empty()) return projections;
    const glm::dmat3 toWorld = glm::transpose(cameras[0].rotation);
    const glm::dvec3 origin = cameras[0].centre - toWorld * glm::dvec3(0, 0, depthOffset);
    for (const Camera& camera : cameras) {
        const glm::dmat3 rotation = camera.zoomedRotation();
        projections.push_back({rotation * toWorld, rotation * (origin - camera.centre)});
    }
    return projections;
}

FeaturePooling::FeaturePooling(std::vector<FeatureProjection> projections,
                               std::vector<FeatureMap> maps, SamplerKind sampler,
                               const simd::NetworkKernels& kernels)
    : projections_(std::move(projections)),
      maps_(std::move(maps)),
      sampler_(sampler),
      kernels_(&kernels) {
    for (const FeatureMap& map : maps_) channels_ += map.channels;
}

void FeaturePooling::pool(glm::vec3 point, float* out) const {
    out[0] = point.x;
    out[1] = point.y;
    out[2] = point.z;
    features(point, out + 3);
}

template <class Value, class Pool>
void FeaturePooling::forEachMap(glm::vec3 point, const Pool& pool) const {
    const std::size_t views = projections_.size();
    std::array<FeatureProjection::Pixel, kMaxInputViews> pixels;
    for (std::size_t view = 0; view < views; ++view)
        pixels[view] = projections_[view].project(point);
    std::size_t first = 0;
    for (const FeatureMap& map : maps_) {
        std::array<simd::CornersOf<Value>, kMaxInputViews> corners;
        for (std::size_t view = 0; view < views; ++view)
            corners[view] = sampler_ == SamplerKind::bilinearPerView
                                ? cornersBilinear<Value>(map, view, pixels[view])
                                : cornersNearestFirst<Value>(map, pixels[view]);
        pool(corners.data(), map.channels, first);
        first += map.channels;
    }
}

void FeaturePooling::features(glm::vec3 point, float* out) const {
    forEachMap<float>(point, [&](const auto* corners, std::size_t channels, std::size_t first) {
        kernels_->pool(corners, projections_.size(), channels, out + first, out + channels_ + first,
                       out + 2 * channels_ + first);
    });
}

void FeaturePooling::features(glm::vec3 point, std::uint16_t* out) const {
    forEachMap<std::uint16_t>(
        point, [&](const auto* corners, std::size_t channels, std::size_t first) {
            kernels_->poolBfloat16(corners, projections_.size(), channels, out + first,
                                   out + channels_ + first, out + 2 * channels_ + first);
        });
}

void FeaturePooling::features(glm::vec3 point, std::span<const float> inverseScales,
                              std::uint8_t* out) const {
    forEachMap<std::uint16_t>(
        point, [&](const auto* corners, std::size_t channels, std::size_t first) {
            const float* const perOutput[] = {inverseScales.data() + first,
                                              inverseScales.data() + channels_ + first,
                                              inverseScales.data() + 2 * channels_ + first};
            kernels_->poolUint8(corners, projections_.size(), channels, perOutput, out + first,
                                out + channels_ + first, out + 2 * channels_ + first);
        });
}

}  // namespace threefold
