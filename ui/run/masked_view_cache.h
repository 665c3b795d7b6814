#pragma once

#include <algorithm>
#include <mutex>
#include <optional>

#include "engine/formats/pictures/photograph.h"
#include "engine/masks/masked_views.h"
#include "engine/pipeline/fit_request.h"
#include "ui/document/view_stamp.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Cache of the photographs of the last fit, for the next fit of the same sample; a changed
/// photograph or mask invalidates it. Thread-safe; find() blocks other callers while it reads
/// files.
class MaskedViewCache {
  public:
    using Loaded = std::vector<MaskedView>;

    /// Loads the views, or returns the cached ones. Parameters and errors as in loadMaskedViews().
    std::shared_ptr<const Loaded> find(const SampleRef& sample, const std::vector<int>& views,
                                       bool keepPhotographs, const std::stop_token& cancel) {
        std::vector<std::optional<ViewStamp>> stamps;
        for (const int view : views) stamps.push_back(stampOf(*sample, view));
        const bool allStamped =
            std::ranges::all_of(stamps, [](const auto& stamp) { return !!stamp; });
        const std::scoped_lock lock(mutex_);
        if (loaded_ && allStamped && sample == sample_ && views == views_ && stamps == stamps_ &&
            (photographsKept_ || !keepPhotographs))
            return loaded_;
        loaded_ = std::make_shared<const Loaded>(
            loadMaskedViews(*sample, views, readViewPhotograph, cancel, keepPhotographs));
        photographsKept_ = keepPhotographs;
        sample_ = sample;
        views_ = views;
        stamps_ = std::move(stamps);
        return loaded_;
    }

  private:
    std::mutex mutex_;
    SampleRef sample_;
    std::vector<int> views_;
    std::vector<std::optional<ViewStamp>> stamps_;
    std::shared_ptr<const Loaded> loaded_;
    bool photographsKept_ = false;
};

}  // namespace threefold::ui
