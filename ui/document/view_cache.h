#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>

#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "ui/document/view_stamp.h"

namespace threefold::ui {

/// LRU cache of views as the network sees them. NetworkClient reads them; Thumbnails prefetches
/// views that the user may choose next. A view whose photograph or mask file has changed is read
/// again. Thread-safe; of several threads that need a view, one reads it.
class ViewCache {
  public:
    struct Statistics {
        std::size_t hits = 0;    ///< read() calls that found the view or waited for another thread
        std::size_t misses = 0;  ///< read() calls that decoded the view
        std::size_t prefetched = 0;  ///< views that prefetch() decoded and cached
        std::size_t bytes = 0;       ///< of all cached pixels; at most maxBytes
    };

    explicit ViewCache(std::size_t maxBytes = kDefaultBytes) : maxBytes_(maxBytes) {}

    /// Reads a view; drops the least recently used views if the cache is full. Throws like
    /// readNetworkImage().
    std::shared_ptr<const Image> read(const Sample& sample, int view) {
        return fetch(sample, view, Purpose::use);
    }
    /// Reads a view that may be needed later; caches it only if there is room.
    std::shared_ptr<const Image> prefetch(const Sample& sample, int view) {
        return fetch(sample, view, Purpose::prefetch);
    }

    Statistics statistics() const;

  private:
    static constexpr std::size_t kDefaultBytes = std::size_t{96} << 20;
    enum class Purpose { use, prefetch };

    struct Entry {
        std::filesystem::path file;
        std::shared_ptr<const PosedPhotos> photos;  // decides how the view is resampled; or null
        int view = 0;
        CameraRow row;  // the view's camera
        std::optional<ViewStamp> stamp;
        std::shared_ptr<const Image> image;  // null: a thread is reading it

        bool operator==(const Entry& other) const;  // the same view of the same files
    };

    std::shared_ptr<const Image> fetch(const Sample& sample, int view, Purpose purpose);
    void makeRoom(std::size_t bytes);

    const std::size_t maxBytes_;
    mutable std::mutex mutex_;
    std::condition_variable imageRead_;
    std::list<Entry> entries_;  // most recently used first
    Statistics statistics_;
};

}  // namespace threefold::ui
