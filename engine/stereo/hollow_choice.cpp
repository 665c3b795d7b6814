#include "engine/stereo/hollow_choice.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "engine/compute/parallel.h"

namespace threefold::stereo {
namespace {

/// Distance in spacings behind the surface that a view shows, beyond which the view has no vote on
/// a point.
constexpr float kMaxBehind = 8;
/// Weight of a view that sees into the hollow: one such view suffices, whereas a surface in front
/// of the hollow's floor shows in all views.
constexpr float kFreeWeight = 2;
/// Weight of a vote of 0 at each point, so that points that no photograph shows stay hollow.
constexpr float kHollowWeight = 0.1F;
/// Mean vote at which the surface without hollows has its full weight.
constexpr float kFullVote = -0.3F;
/// Box filter of the votes, twice along each axis: radius in points.
constexpr int kRadius = 2;
constexpr int kPasses = 2;

/// Weighted votes at the points of a grid: −1, a surface in front, to 1, free.
struct Votes {
    std::vector<float> sum;
    std::vector<float> weight;
};

float weightOf(const DepthMap& map, const ViewSupport& support, std::size_t pixel) {
    constexpr float kMinScore = 0.3F;
    constexpr float kFullScore = 0.9F;
    constexpr float kFullMargin = 0.16F;
    constexpr int kFullSupport = 4;  // the view itself, and three others
    const int supporting = support.supportingCount[pixel];
    if (!(map.depth[pixel] > 0) || support.freeSpaceViolationCount[pixel] > supporting) return 0;
    return std::clamp((map.score[pixel] - kMinScore) / (kFullScore - kMinScore), 0.0F, 1.0F) *
           std::clamp(map.margin[pixel] / kFullMargin, 0.0F, 1.0F) *
           static_cast<float>(std::min(supporting + 1, kFullSupport)) / kFullSupport;
}

Votes votesOnHollows(const VoxelGrid& grid, const HollowCandidates& candidates,
                     const MatchedViews& matched, int threads, const std::stop_token& cancel) {
    Votes votes{std::vector<float>(grid.count()), std::vector<float>(grid.count())};
    const auto spacing = static_cast<float>(grid.spacing);
    forEachPoint(grid, threads, cancel, [&](const glm::ivec3& at) {
        const std::size_t index = grid.index(at);
        if (!(candidates.withoutHollows[index] < 0) || !(candidates.withHollows[index] > 0)) return;
        const glm::dvec3 point = grid.position(at);
        for (std::size_t i = 0; i < matched.views.size(); ++i) {
            const StereoView& view = matched.views[i];
            const DepthMap& map = matched.maps[i];
            const std::optional<ViewPixel> seen = view.pixelAt(point);
            if (!seen) continue;
            const std::size_t pixel = view.pixelIndex(*seen);
            const auto depth = static_cast<float>(seen->depth);
            // Behind the hollow's floor, both candidates hide the point from this view.
            const float floorDepth = candidates.hollowDepths[i][pixel];
            if (floorDepth > 0 && depth > floorDepth) continue;
            const float freeSpacings = (map.depth[pixel] - depth) / spacing;
            if (freeSpacings < -kMaxBehind) continue;
            const float weight =
                weightOf(map, matched.support[i], pixel) * (freeSpacings > 0 ? kFreeWeight : 1);
            votes.sum[index] += weight * std::clamp(freeSpacings, -1.0F, 1.0F);
            votes.weight[index] += weight;
        }
    });
    return votes;
}

/// Replaces each value by the mean of 2 · kRadius + 1 values along an axis; values beyond the grid
/// count as 0.
void blurAlong(int axis, const VoxelGrid& grid, std::vector<float>& values, int threads,
               const std::stop_token& cancel) {
    const int outer = axis == 0 ? 1 : 0;
    const int inner = axis == 2 ? 1 : 2;
    const int length = grid.size[axis];
    glm::ivec3 next(0);
    next[axis] = 1;
    const std::size_t stride = grid.index(next);
    parallelFor(threads, static_cast<std::size_t>(grid.size[outer]), cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    // kRadius zeros at both ends.
                    std::vector<float> line(static_cast<std::size_t>(length + 2 * kRadius));
                    for (int j = 0; j < grid.size[inner]; ++j) {
                        glm::ivec3 first(0);
                        first[outer] = static_cast<int>(i);
                        first[inner] = j;
                        float* const values0 = &values[grid.index(first)];
                        for (std::size_t k = 0; k < static_cast<std::size_t>(length); ++k)
                            line[k + kRadius] = values0[k * stride];
                        for (std::size_t k = 0; k < static_cast<std::size_t>(length); ++k) {
                            float sum = 0;
                            for (std::size_t d = 0; d <= 2 * kRadius; ++d) sum += line[k + d];
                            values0[k * stride] = sum / (2 * kRadius + 1);
                        }
                    }
                });
}

}  // namespace

std::vector<float> weightsWithoutHollows(const VoxelGrid& grid, const HollowCandidates& candidates,
                                         const MatchedViews& matched, int threads,
                                         const std::stop_token& cancel) {
    Votes votes = votesOnHollows(grid, candidates, matched, threads, cancel);
    for (std::vector<float>* values : {&votes.sum, &votes.weight})
        for (int pass = 0; pass < kPasses; ++pass)
            for (int axis = 0; axis < 3; ++axis) blurAlong(axis, grid, *values, threads, cancel);
    std::vector<float> weights(grid.count());
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] =
            std::clamp(votes.sum[i] / (votes.weight[i] + kHollowWeight) / kFullVote, 0.0F, 1.0F);
    return weights;
}

}  // namespace threefold::stereo
