#include "engine/photo_cameras/camera_candidate.h"

#include <algorithm>

#include "engine/bounding_box.h"
#include "engine/error.h"
#include "engine/silhouettes/object_box.h"
#include "engine/turntable/turntable.h"

namespace threefold {

bool showsWholeOutline(const Mask& mask) {
    const PosedMask view{{}, {}, mask};
    const SilhouetteQuery silhouette(view);
    return !silhouette.isEmpty() && silhouette.isClearOfBorder();
}

OutlineScore outlineScore(std::span<const std::optional<PhotoCamera>> cameras,
                          std::span<const std::optional<Mask>> masks,
                          const std::stop_token& cancel) {
    OutlineScore score{.photographCount = cameras.size()};
    std::vector<PosedMask> views;
    std::vector<bool> areWhole;  // one for each of `views`
    std::size_t wholeCount = 0;  // counts photographs without a camera, too
    for (std::size_t i = 0; i < cameras.size(); ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        score.cameraCount += cameras[i] ? 1 : 0;
        if (!masks[i]) continue;
        const bool isWhole = showsWholeOutline(*masks[i]);
        wholeCount += isWhole ? 1 : 0;
        if (!cameras[i]) continue;
        views.push_back({cameras[i]->pose, cameras[i]->lens, *masks[i]});
        areWhole.push_back(isWhole);
    }
    const std::ptrdiff_t scoredCount = std::ranges::count(areWhole, true);
    if (scoredCount == 0) return score;
    const std::optional<Box3d> object = objectBox(views, false, cancel);
    if (!object) return score;
    // The hull's silhouette lies within each mask, so their intersection over union is the fraction
    // of the mask that the silhouette covers.
    const std::vector<double> uncovered = turntable::uncoveredAtReducedSize(views, *object, cancel);
    double sum = 0;
    for (std::size_t i = 0; i < views.size(); ++i)
        if (areWhole[i]) sum += 1 - uncovered[i];
    score.overlap = sum / static_cast<double>(scoredCount);
    score.explained = sum / static_cast<double>(wholeCount);
    return score;
}

std::size_t bestCandidate(std::span<const CameraCandidate> candidates) {
    const auto best = std::ranges::max_element(
        candidates, {}, [](const CameraCandidate& candidate) { return candidate.score.explained; });
    return static_cast<std::size_t>(best - candidates.begin());
}

}  // namespace threefold
