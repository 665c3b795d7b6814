#include "engine/stereo/fusion.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/compute/parallel.h"

namespace threefold::stereo {

FusedDistance fuse(const VoxelGrid& lattice, std::span<const std::uint8_t> inside,
                   std::span<const StereoView> views, std::span<const DepthMap> maps,
                   std::span<const DepthVotes> votes, float truncation, float nearer, int threads,
                   const std::stop_token& cancel) {
    FusedDistance fused{std::vector<float>(lattice.count()), std::vector<float>(lattice.count())};
    const auto addVotes = [&](const glm::ivec3& at) {
        const std::size_t index = lattice.index(at);
        if (inside[index] == 0) return;
        const glm::dvec3 point = lattice.position(at);
        float sum = 0;
        float weights = 0;
        for (std::size_t i = 0; i < views.size(); ++i) {
            const std::optional<ViewPixel> seen = pixelOf(views[i], point);
            if (!seen) continue;
            const float weight = votes[i].weight[seen->index];
            if (!(weight > 0)) continue;
            const float surface = maps[i].depth[seen->index] - nearer * maps[i].step;
            const float distance = (surface - seen->depth) / truncation;
            if (distance < -1) continue;
            sum += weight * std::min(distance, 1.0F);
            weights += weight;
        }
        fused.distance[index] = weights > 0 ? sum / weights : 0;
        fused.weight[index] = weights;
    };
    parallelFor(threads, static_cast<std::size_t>(lattice.size.x), cancel,
                [&](std::size_t x, std::size_t /*thread*/) {
                    for (int y = 0; y < lattice.size.y; ++y)
                        for (int z = 0; z < lattice.size.z; ++z)
                            addVotes({static_cast<int>(x), y, z});
                });
    return fused;
}

}  // namespace threefold::stereo
