#include "engine/pipeline/doubtful_masks.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "engine/compute/parallel.h"
#include "engine/hull/hull_field.h"
#include "engine/hull/mask_consistency.h"
#include "engine/pipeline/masked_views.h"
#include "engine/sample/posed_photos/posed_photos.h"

namespace threefold {

std::vector<DoubtfulMask> findDoubtfulMasks(const Sample& sample, const std::stop_token& cancel) {
    std::vector<int> views;
    for (std::size_t i = 0; i < sample.viewCount(); ++i)
        if (!sample.images[i].empty() &&
            (!sample.photos || sample.photos->views[i].problem.empty()))
            views.push_back(static_cast<int>(i));
    if (views.size() < hull::kMinConsistencyViews) return {};
    std::vector<MaskedView> masked = loadMaskedViews(sample, views, readViewPhotograph, cancel);
    std::erase_if(masked, [](const MaskedView& view) {
        return !view.mask || std::ranges::count(view.mask->inside, 1) == 0 ||
               std::ranges::count(view.mask->inside, 0) == 0;
    });
    std::vector<std::unique_ptr<hull::Silhouette>> silhouettes(masked.size());
    parallelFor(usableThreads(0), masked.size(), cancel, [&](std::size_t i, std::size_t) {
        silhouettes[i] = std::make_unique<hull::Silhouette>(masked[i].camera, *masked[i].mask);
    });
    std::vector<const hull::Silhouette*> used;
    for (const auto& silhouette : silhouettes) used.push_back(silhouette.get());
    std::vector<DoubtfulMask> doubtful;
    for (const hull::MaskContradiction& each :
         hull::findContradictions(used, usableThreads(0), cancel)) {
        const int view = masked[each.view].view;
        doubtful.push_back({view, sample.images[static_cast<std::size_t>(view)], each.text()});
    }
    std::ranges::sort(doubtful, {}, &DoubtfulMask::view);
    return doubtful;
}

}  // namespace threefold
