#include "ui/document/view_cache.h"

#include <algorithm>
#include <utility>

#include "engine/formats/pictures/photograph.h"
#include "ui/document/input_state.h"

namespace threefold::ui {

bool ViewCache::Entry::operator==(const Entry& other) const {
    return file == other.file && photos == other.photos && view == other.view &&
           givesSameNetworkImage(row, other.row);
}

ViewCache::Statistics ViewCache::statistics() const {
    const std::scoped_lock lock(mutex_);
    return statistics_;
}

std::shared_ptr<const Image> ViewCache::fetch(const Sample& sample, int view, Purpose purpose) {
    const bool prefetches = purpose == Purpose::prefetch;
    Entry key;
    key.file = sample.images.at(static_cast<std::size_t>(view));
    key.photos = sample.photos;
    key.view = view;
    key.row = sample.cameraRows.at(static_cast<std::size_t>(view));
    key.stamp = stampOf(sample, view);

    std::unique_lock lock(mutex_);
    auto found = entries_.end();
    imageRead_.wait(lock, [&] {
        found = std::find(entries_.begin(), entries_.end(), key);
        return found == entries_.end() || found->image;
    });
    if (found != entries_.end()) {
        if (key.stamp && found->stamp == key.stamp) {
            if (!prefetches) ++statistics_.hits;
            entries_.splice(entries_.begin(), entries_, found);
            return found->image;
        }
        statistics_.bytes -= found->image->rgba.size();
        entries_.erase(found);
    }
    if (!prefetches) ++statistics_.misses;
    entries_.push_front(std::move(key));
    const auto entry = entries_.begin();

    std::shared_ptr<const Image> image;
    lock.unlock();
    try {
        image = std::make_shared<const Image>(readNetworkImage(sample, view));
    } catch (...) {
        lock.lock();
        entries_.erase(entry);
        imageRead_.notify_all();
        throw;
    }
    lock.lock();
    const std::size_t bytes = image->rgba.size();
    if (!prefetches) makeRoom(bytes);
    if (statistics_.bytes + bytes <= maxBytes_) {
        entry->image = image;
        statistics_.bytes += bytes;
        if (prefetches) ++statistics_.prefetched;
    } else {
        entries_.erase(entry);
    }
    imageRead_.notify_all();
    return image;
}

void ViewCache::makeRoom(std::size_t bytes) {
    for (auto oldest = entries_.end();
         oldest != entries_.begin() && statistics_.bytes + bytes > maxBytes_;) {
        --oldest;
        if (!oldest->image) continue;
        statistics_.bytes -= oldest->image->rgba.size();
        oldest = entries_.erase(oldest);
    }
}

}  // namespace threefold::ui
