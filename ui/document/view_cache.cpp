#include "ui/document/view_cache.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "engine/formats/pictures/photograph.h"
#include "ui/document/input_state.h"

namespace threefold::ui {

bool ViewCache::Entry::operator==(const Entry& other) const {
    return file == other.file && photos == other.photos && view == other.view &&
           samePicture(row, other.row);
}

ViewCache::Counts ViewCache::counts() const {
    const std::scoped_lock lock(mutex_);
    return counts_;
}

std::shared_ptr<const Image> ViewCache::read(const Sample& sample, int view, bool ahead) {
    Entry wanted;
    wanted.file = sample.images.at(static_cast<std::size_t>(view));
    wanted.photos = sample.photos;
    wanted.view = view;
    wanted.row = sample.cameraRows.at(static_cast<std::size_t>(view));
    std::error_code error;
    wanted.size = std::filesystem::file_size(wanted.file, error);
    if (!error) wanted.written = std::filesystem::last_write_time(wanted.file, error);
    if (const auto mask = maskFileOf(sample, view); !error && !mask.empty())
        wanted.maskWritten = std::filesystem::last_write_time(mask, error);

    std::unique_lock lock(mutex_);
    auto found = entries_.end();
    read_.wait(lock, [&] {
        found = std::find(entries_.begin(), entries_.end(), wanted);
        return found == entries_.end() || found->image;
    });
    if (found != entries_.end()) {
        if (!error && found->size == wanted.size && found->written == wanted.written &&
            found->maskWritten == wanted.maskWritten) {
            if (!ahead) ++counts_.hits;
            entries_.splice(entries_.begin(), entries_, found);
            return found->image;
        }
        counts_.bytes -= found->image->rgba.size();
        entries_.erase(found);
    }
    if (!ahead) ++counts_.misses;
    entries_.push_front(std::move(wanted));
    const auto entry = entries_.begin();

    std::shared_ptr<const Image> image;
    lock.unlock();
    try {
        image = std::make_shared<const Image>(networkView(sample, view));
    } catch (...) {
        lock.lock();
        entries_.erase(entry);
        read_.notify_all();
        throw;
    }
    lock.lock();
    const std::size_t bytes = image->rgba.size();
    if (!ahead) makeRoom(bytes);
    if (counts_.bytes + bytes <= mostBytes_) {
        entry->image = image;
        counts_.bytes += bytes;
        if (ahead) ++counts_.ahead;
    } else {
        entries_.erase(entry);
    }
    read_.notify_all();
    return image;
}

void ViewCache::makeRoom(std::size_t bytes) {
    for (auto oldest = entries_.end();
         oldest != entries_.begin() && counts_.bytes + bytes > mostBytes_;) {
        --oldest;
        if (!oldest->image) continue;
        counts_.bytes -= oldest->image->rgba.size();
        oldest = entries_.erase(oldest);
    }
}

}  // namespace threefold::ui
