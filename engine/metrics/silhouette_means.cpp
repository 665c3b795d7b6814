#include "engine/metrics/silhouette_means.h"

namespace threefold {

std::optional<SilhouetteMeans> meansOf(std::span<const ViewSilhouettes> views,
                                       std::optional<SilhouetteScore> ViewSilhouettes::*mesh) {
    SilhouetteMeans means;
    double distance = 0;
    std::size_t measured = 0;
    for (const ViewSilhouettes& view : views) {
        const std::optional<SilhouetteScore>& score = view.*mesh;
        if (!score) continue;
        means.overlap += score->overlap;
        ++means.views;
        if (!score->distance) continue;
        distance += score->distance->mean;
        ++measured;
    }
    if (means.views == 0) return std::nullopt;
    means.overlap /= static_cast<double>(means.views);
    if (measured > 0) means.distance = distance / static_cast<double>(measured);
    return means;
}

std::optional<SilhouettePair> meansOf(std::span<const ViewSilhouettes> views) {
    const auto coarse = meansOf(views, &ViewSilhouettes::coarse);
    const auto refined = meansOf(views, &ViewSilhouettes::refined);
    if (!coarse || !refined) return std::nullopt;
    return SilhouettePair{*coarse, *refined};
}

}  // namespace threefold
