#include "engine/stereo/fusion.h"

#include <algorithm>
#include <optional>

namespace threefold::stereo {

FusedDistance fuse(const FusionInput& input, int threads, const std::stop_token& cancel) {
    const VoxelGrid& grid = input.grid;
    FusedDistance fused{std::vector<float>(grid.count()), std::vector<float>(grid.count())};
    forEachPoint(grid, threads, cancel, [&](const glm::ivec3& at) {
        const std::size_t index = grid.index(at);
        if (input.inside[index] == 0) return;
        const glm::dvec3 point = grid.position(at);
        float sum = 0;
        float weights = 0;
        for (std::size_t i = 0; i < input.views.size(); ++i) {
            const StereoView& view = input.views[i];
            const std::optional<ViewPixel> seen = view.pixelAt(point);
            if (!seen) continue;
            const std::size_t pixel = view.pixelIndex(*seen);
            const float weight = input.votes[i].weight[pixel];
            if (!(weight > 0)) continue;
            const DepthMap& map = input.maps[i];
            const float surface = map.depth[pixel] - input.surfaceOffsetLabels * map.labelSpacing;
            const float distance = (surface - static_cast<float>(seen->depth)) / input.truncation;
            if (distance < -1) continue;
            sum += weight * std::min(distance, 1.0F);
            weights += weight;
        }
        fused.distance[index] = weights > 0 ? sum / weights : 0;
        fused.weight[index] = weights;
    });
    return fused;
}

}  // namespace threefold::stereo
