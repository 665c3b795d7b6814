#include "ui/run/masked_view_cache.h"

#include <algorithm>

#include "engine/sample/sample.h"

namespace threefold::ui {

std::shared_ptr<const MaskedViewCache::Loaded> MaskedViewCache::load(
    const SampleRef& sample, const std::vector<int>& views, bool keepPhotographs,
    const std::stop_token& cancel) {
    Key key{sample, views, {}};
    for (const int view : views) key.stamps.push_back(stampOf(*sample, view));
    const bool allStamped =
        std::ranges::all_of(key.stamps, [](const auto& stamp) { return stamp.has_value(); });
    const std::scoped_lock lock(mutex_);
    const bool holdsEnough = photographsKept_ || !keepPhotographs;
    if (loaded_ && allStamped && key == key_ && holdsEnough) return loaded_;
    loaded_ = std::make_shared<const Loaded>(
        loadMaskedViews(*sample, views, readViewPhoto, cancel, keepPhotographs));
    photographsKept_ = keepPhotographs;
    key_ = std::move(key);
    return loaded_;
}

}  // namespace threefold::ui
