#include "ui/run/fit_view_cache.h"

#include <system_error>
#include <utility>

#include "engine/error.h"

namespace threefold::ui {
namespace {

FitViewCache::Loaded load(const Sample& sample, const std::vector<int>& views,
                          const std::stop_token& cancel) {
    const auto read = [](const std::filesystem::path& file) { return readImage(file); };
    try {
        return {loadFitViews(sample, views, read, cancel), {}};
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        // One by one, to leave out those that fail.
        FitViewCache::Loaded loaded;
        for (const int view : views) {
            try {
                loaded.views.push_back(
                    loadFitViews(sample, std::vector{view}, read, cancel).front());
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                loaded.notes.push_back("View " + std::to_string(view) + ' ' +
                                       error.report().problem);
            }
        }
        return loaded;
    }
}

}  // namespace

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
    if (loaded_ && sample == sample_ && views == views_ && files == files_) return loaded_;
    loaded_ = std::make_shared<const Loaded>(load(*sample, views, cancel));
    sample_ = sample;
    views_ = views;
    files_ = std::move(files);
    return loaded_;
}

}  // namespace threefold::ui
