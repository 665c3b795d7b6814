#include "ui/run/fit_view_cache.h"

#include "engine/formats/pictures/photograph.h"

#include <system_error>
#include <utility>

namespace threefold::ui {
std::shared_ptr<const FitViewCache::Loaded> FitViewCache::find(const SampleRef& sample,
                                                               const std::vector<int>& views,
                                                               const std::stop_token& cancel) {
    std::vector<FileState> files;
    for (const int view : views) {
        const std::filesystem::path& file = sample->images.at(static_cast<std::size_t>(view));
        std::error_code error;
        FileState& state = files.emplace_back();
        state.size = std::filesystem::file_size(file, error);
        state.written = std::filesystem::last_write_time(file, error);
    }
    const std::scoped_lock lock(mutex_);
    if (loaded_ && sample == sample_ && views == views_ && files == files_) return loaded_;
    loaded_ = std::make_shared<const Loaded>(loadFitViews(*sample, views, readPhotograph, cancel));
    sample_ = sample;
    views_ = views;
    files_ = std::move(files);
    return loaded_;
}

}  // namespace threefold::ui
