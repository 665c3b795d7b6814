#include "engine/hull/hollows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/raster/camera_depths.h"

namespace threefold::hull {
namespace {

constexpr int kRenderedSide = 448;  // side of the pictures of the mesh
/// Distance from the mesh's silhouette, in pixels of the 224×224 projection, beyond which a part of
/// a mask counts as missing in the mesh.
constexpr float kMissingDistance = 2.5F;
/// Limit of the depths that Hollows::depth() returns, object units. A deeper point may be closer to
/// another part of the surface, so that its depth along a ray is not its distance from the surface.
constexpr float kMaxDepth = 0.015F;

/// Cameras outside of the object, along the axes and the diagonals of a cube.
std::vector<Camera> surroundingCameras() {
    constexpr double kCameraDistance = 1.5;  // from the origin, object units
    constexpr double kDiagonal = 35.26;      // degrees: elevation of a cube's diagonal
    std::vector<Camera> cameras;
    for (int quarter = 0; quarter < 4; ++quarter)
        for (const auto& [azimuth, elevation] :
             {std::pair{0.0, 0.0}, std::pair{45.0, kDiagonal}, std::pair{45.0, -kDiagonal}})
            cameras.push_back(
                Camera::fromRow({90.0 * quarter + azimuth, elevation, 0, kCameraDistance}));
    for (const double elevation : {90.0, -90.0})
        cameras.push_back(Camera::fromRow({0, elevation, 0, kCameraDistance}));
    return cameras;
}

/// Minimum of 3×3 values: within a pixel, a slanted surface may come as near as this minimum.
std::vector<float> minAround(const std::vector<float>& depths) {
    std::vector<float> minimum(depths.size());
    for (int y = 1; y + 1 < kRenderedSide; ++y)
        for (int x = 1; x + 1 < kRenderedSide; ++x) {
            const std::size_t at = static_cast<std::size_t>(y * kRenderedSide + x);
            float value = depths[at];
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    value = std::min(
                        value, depths[static_cast<std::size_t>((y + dy) * kRenderedSide + x + dx)]);
            minimum[at] = value;
        }
    return minimum;
}

/// Signed distances in pixels, negative inside, to the parts of `mask` that are farther than
/// kMissingDistance from `rendered`, extended by kMissingDistance; empty if there are none.
std::vector<float> distancesToMissing(const Mask& mask, const Mask& rendered) {
    if (!hasObjectAndBackground(rendered)) return {};
    const float threshold = kMissingDistance * kRenderedSide / kInputSide;
    const std::vector<float> toRendered = signedDistances(rendered);
    Mask core{mask.width, mask.height, {}};
    for (std::size_t i = 0; i < mask.inside.size(); ++i)
        core.inside.push_back(mask.inside[i] != 0 && toRendered[i] > threshold ? 1 : 0);
    if (!hasObjectAndBackground(core)) return {};
    std::vector<float> distance = signedDistances(core);
    for (float& value : distance) value -= threshold;
    return distance;
}

}  // namespace

Hollows::DepthMap Hollows::depthMapFrom(const Camera& camera, const SilhouetteField* silhouette,
                                        const Mesh& mesh) {
    DepthMap map{camera, {}, {}};
    map.depth = cameraDepths(mesh, camera, kRenderedSide);
    Mask rendered{kRenderedSide, kRenderedSide, {}};
    for (const float value : map.depth) rendered.inside.push_back(value > 0 ? 1 : 0);
    map.depth = minAround(map.depth);
    if (silhouette != nullptr)
        map.missingDistance =
            distancesToMissing(resized(silhouette->mask(), kRenderedSide, kRenderedSide), rendered);
    return map;
}

Hollows::Hollows(const Mesh& mesh, std::span<const SilhouetteField* const> views, int threads,
                 const std::stop_token& cancel) {
    std::vector<std::pair<Camera, const SilhouetteField*>> sources;
    for (const SilhouetteField* view : views) sources.emplace_back(view->camera(), view);
    for (const Camera& camera : surroundingCameras()) sources.emplace_back(camera, nullptr);
    maps_.resize(sources.size());
    parallelFor(threads, sources.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
        maps_[i] = depthMapFrom(sources[i].first, sources[i].second, mesh);
    });
}

float Hollows::depth(glm::dvec3 world, float surfaceThickness) const {
    float inFront = -kMaxDepth;  // depth in front of the mesh, maximum over the views
    std::array<float, 2> missing{kMaxDepth, kMaxDepth};  // the two smallest distances
    for (const DepthMap& map : maps_) {
        const ProjectedPoint projected = projectToPicture(map.camera, world);
        const glm::vec2 pixel = projected.position * static_cast<float>(kRenderedSide);
        if (projected.depth == 0 || !(pixel.x >= 0 && pixel.y >= 0)) continue;
        if (pixel.x >= kRenderedSide || pixel.y >= kRenderedSide) continue;
        const std::size_t index =
            static_cast<std::size_t>(pixel.y) * kRenderedSide + static_cast<std::size_t>(pixel.x);
        if (map.depth[index] > 0) inFront = std::max(inFront, map.depth[index] - projected.depth);
        if (map.missingDistance.empty()) continue;
        const float value =
            map.missingDistance[index] * projected.unitsAcrossPicture / kRenderedSide;
        if (value < missing[0])
            missing = {value, missing[0]};
        else
            missing[1] = std::min(missing[1], value);
    }
    return std::min({inFront - surfaceThickness, missing[1], kMaxDepth});
}

}  // namespace threefold::hull
