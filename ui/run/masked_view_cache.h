#pragma once

#include <mutex>
#include <system_error>

#include "engine/formats/pictures/photograph.h"
#include "engine/pipeline/fit_request.h"
#include "engine/pipeline/masked_views.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// The photographs of the last fit: the next one of the same sample reuses them. A file whose size
/// or modification time has changed is read again. Thread-safe: of several fits, on several
/// devices, one reads at a time.
class MaskedViewCache {
  public:
    using Loaded = std::vector<MaskedView>;

    /// Loads the views, or reuses them. Parameters and errors are those of loadMaskedViews().
    std::shared_ptr<const Loaded> find(const SampleRef& sample, const std::vector<int>& views,
                                       bool keepPhotographs, const std::stop_token& cancel) {
        std::vector<std::pair<std::uintmax_t, std::filesystem::file_time_type>> files;
        for (const int view : views) {
            const std::filesystem::path& file = sample->images.at(static_cast<std::size_t>(view));
            std::error_code error;
            const std::uintmax_t size = std::filesystem::file_size(file, error);
            files.emplace_back(size, std::filesystem::last_write_time(file, error));
        }
        const std::scoped_lock lock(mutex_);
        if (loaded_ && sample == sample_ && views == views_ && files == files_ &&
            (photographsKept_ || !keepPhotographs))
            return loaded_;
        loaded_ = std::make_shared<const Loaded>(
            loadMaskedViews(*sample, views, readViewPhotograph, cancel, keepPhotographs));
        photographsKept_ = keepPhotographs;
        sample_ = sample;
        views_ = views;
        files_ = std::move(files);
        return loaded_;
    }

  private:
    std::mutex mutex_;
    SampleRef sample_;
    std::vector<int> views_;
    std::vector<std::pair<std::uintmax_t, std::filesystem::file_time_type>> files_;
    std::shared_ptr<const Loaded> loaded_;
    bool photographsKept_ = false;
};

}  // namespace threefold::ui
