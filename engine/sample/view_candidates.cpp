#include "engine/sample/view_candidates.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/views/foreground.h"

namespace threefold {

std::vector<int> usableViews(const Sample& sample) {
    std::vector<int> usable;
    for (std::size_t i = 0; i < sample.viewCount(); ++i)
        if (isUsableView(sample, i)) usable.push_back(static_cast<int>(i));
    return usable;
}

std::vector<ViewCandidate> viewCandidates(const Sample& sample, const ViewReader& read,
                                          const std::stop_token& cancel) {
    const std::vector<int> usable = usableViews(sample);
    const std::size_t count = std::min(usable.size(), ViewChooser::kMaxCandidates);
    std::vector<std::optional<ViewCandidate>> results(count);
    parallelFor(resolveThreadCount(0), count, cancel, [&](std::size_t i, std::size_t /*thread*/) {
        const int view = usable[i * usable.size() / count];
        try {
            std::optional<Mask> mask = foregroundOf(read(sample, view));
            if (mask)
                mask = resized(*mask, std::min(mask->width, kInputSide),
                               std::min(mask->height, kInputSide));
            results[i] = {view, sample.cameraRows[static_cast<std::size_t>(view)], std::move(mask)};
        } catch (const Error&) {  // the error is reported when the view is chosen
        }
    });
    std::vector<ViewCandidate> candidates;
    for (auto& candidate : results)
        if (candidate) candidates.push_back(*std::move(candidate));
    return candidates;
}

bool isShapeNetRendering(const Sample& sample) {
    return !sample.category.empty() && sample.viewCount() > kMaxInputViews;
}

bool hasPublishedViews(const Sample& sample) {
    const auto hasImage = [&](int view) {
        return !sample.images[static_cast<std::size_t>(view)].empty();
    };
    return !sample.photos && sample.viewCount() > kMaxInputViews &&
           std::ranges::all_of(kPublishedViews, hasImage);
}

std::vector<int> defaultViews(const Sample& sample, const ViewReader& read,
                              const std::stop_token& cancel) {
    return hasPublishedViews(sample) ? kPublishedViews : suggestedViews(sample, read, cancel);
}

std::vector<int> suggestedViews(const Sample& sample, const ViewReader& read,
                                const std::stop_token& cancel) {
    std::vector<ViewCandidate> candidates = viewCandidates(sample, read, cancel);
    const auto masked = std::ranges::count_if(
        candidates, [](const ViewCandidate& candidate) { return candidate.mask.has_value(); });
    if (masked >= static_cast<std::ptrdiff_t>(kMinInputViews))
        std::erase_if(candidates, [](const ViewCandidate& candidate) { return !candidate.mask; });
    std::vector<ViewCandidate> distinct;
    for (ViewCandidate& candidate : candidates) {
        constexpr double kMinAngle = 0.01;  // degrees
        if (std::ranges::all_of(distinct, [&](const ViewCandidate& other) {
                return angleBetween(candidate.camera, other.camera) > kMinAngle;
            }))
            distinct.push_back(std::move(candidate));
    }
    std::vector<int> views = ViewChooser(distinct).best();
    for (std::size_t i = 0; views.size() < std::min(kMinInputViews, sample.viewCount()); ++i) {
        const int view = static_cast<int>(i);
        if (std::ranges::find(views, view) == views.end()) views.push_back(view);
    }
    return views;
}

}  // namespace threefold
