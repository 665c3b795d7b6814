#include "ui/run/view_cache.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace threefold::ui {

std::shared_ptr<const Image> ViewCache::read(const std::filesystem::path& file) {
    std::error_code error;
    Entry entry;
    entry.file = file;
    entry.size = std::filesystem::file_size(file, error);
    if (!error) entry.written = std::filesystem::last_write_time(file, error);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& known) { return known.file == file; });
    if (found != entries_.end()) {
        if (!error && found->size == entry.size && found->written == entry.written) {
            entries_.splice(entries_.begin(), entries_, found);
            return entries_.front().image;
        }
        bytes_ -= found->image->rgba.size();
        entries_.erase(found);
    }
    entry.image = std::make_shared<const Image>(readImage(file));
    ++decoded_;
    std::shared_ptr<const Image> image = entry.image;
    bytes_ += image->rgba.size();
    entries_.push_front(std::move(entry));
    while (bytes_ > mostBytes_) {
        bytes_ -= entries_.back().image->rgba.size();
        entries_.pop_back();
    }
    return image;
}

}  // namespace threefold::ui
