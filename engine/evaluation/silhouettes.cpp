#include "engine/evaluation/silhouettes.h"

#include <algorithm>
#include <cstddef>

namespace threefold {
namespace {

/// Larger photographs are looked at in every n-th pixel: outlines of the network's meshes are not
/// that fine, and a measure should not take longer than the network.
constexpr int kMostPixels = 1024;

Mask everyNth(const Mask& mask, int n) {
    Mask coarser{(mask.width + n - 1) / n, (mask.height + n - 1) / n, {}};
    for (int y = 0; y < mask.height; y += n)
        for (int x = 0; x < mask.width; x += n)
            coarser.inside.push_back(
                mask.inside[static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width) +
                            static_cast<std::size_t>(x)]);
    return coarser;
}

}  // namespace

std::vector<ViewSilhouettes> silhouettesOf(const Reconstruction& meshes, const NetworkInput& input,
                                           std::span<const int> views) {
    const Camera& first = input.cameras.front();
    std::vector<ViewSilhouettes> silhouettes;
    for (std::size_t i = 0; i < views.size(); ++i) {
        ViewSilhouettes of{views[i], {}, {}};
        if (const std::optional<Mask> seen = foregroundOf(input.images[i])) {
            const int step = (std::max(seen->width, seen->height) + kMostPixels - 1) / kMostPixels;
            const Mask object = step > 1 ? everyNth(*seen, step) : *seen;
            const auto scoreOf = [&](const Points& vertices) {
                SilhouetteScore score =
                    compareMasks(maskOf(vertices, meshes.faces(), first, input.cameras[i],
                                        object.width, object.height),
                                 object);
                if (score.distance) {
                    score.distance->mean *= step;
                    score.distance->most *= step;
                }
                return score;
            };
            of.coarse = scoreOf(meshes.coarse);
            of.refined = scoreOf(meshes.refined);
        }
        silhouettes.push_back(of);
    }
    return silhouettes;
}

std::optional<SilhouetteMeans> meansOf(std::span<const ViewSilhouettes> views,
                                       std::optional<SilhouetteScore> ViewSilhouettes::*mesh) {
    SilhouetteMeans means;
    double scored = 0;
    double measured = 0;
    for (const ViewSilhouettes& view : views) {
        const std::optional<SilhouetteScore>& score = view.*mesh;
        if (!score) continue;
        means.overlap += score->overlap;
        ++scored;
        if (!score->distance) continue;
        means.distance += score->distance->mean;
        ++measured;
    }
    if (scored == 0) return std::nullopt;
    means.overlap /= scored;
    if (measured > 0) means.distance /= measured;
    return means;
}

}  // namespace threefold
