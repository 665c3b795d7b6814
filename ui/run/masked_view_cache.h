#pragma once

#include <mutex>
#include <optional>

#include "engine/masks/masked_views.h"
#include "ui/document/view_stamp.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Cache of the photographs of the last fit, for the next fit of the same sample; a changed
/// photograph or mask invalidates the cache. Thread-safe; load() blocks other callers while it
/// reads files.
class MaskedViewCache {
  public:
    using Loaded = std::vector<MaskedView>;

    /// Loads the views, from the cache if possible. For parameters and errors see
    /// loadMaskedViews().
    std::shared_ptr<const Loaded> load(const SampleRef& sample, const std::vector<int>& views,
                                       bool keepPhotographs, const std::stop_token& cancel);

  private:
    struct Key {
        SampleRef sample;
        std::vector<int> views;
        std::vector<std::optional<ViewStamp>> stamps;  // one for each view
        bool operator==(const Key&) const = default;
    };

    std::mutex mutex_;
    Key key_;
    std::shared_ptr<const Loaded> loaded_;
    bool photographsKept_ = false;
};

}  // namespace threefold::ui
