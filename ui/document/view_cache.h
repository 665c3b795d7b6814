#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>

#include "engine/sample/sample.h"

namespace threefold::ui {

/// The recently used views as the network sees them: the worker reads them, and Thumbnails adds
/// views that the user may choose next. A file whose size or modification time has changed is read
/// again. Thread-safe; a view that two threads need is read by one of them.
class ViewCache {
  public:
    struct Counts {
        std::size_t hits = 0;    ///< reads that found their view, or waited for another read of it
        std::size_t misses = 0;  ///< reads that had to decode
        std::size_t ahead = 0;   ///< views that prefetch() has decoded and kept
        std::size_t bytes = 0;   ///< of all kept pixels; at most what was given
    };

    explicit ViewCache(std::size_t mostBytes = kDefaultBytes) : mostBytes_(mostBytes) {}

    /// Throws as networkView(). Drops the least recently used views if full.
    std::shared_ptr<const Image> read(const Sample& sample, int view, bool ahead = false);
    /// The same for a view that may be wanted later: kept only where there is room.
    std::shared_ptr<const Image> prefetch(const Sample& sample, int view) {
        return read(sample, view, true);
    }

    Counts counts() const;

  private:
    static constexpr std::size_t kDefaultBytes = std::size_t{96} << 20;

    struct Entry {
        std::filesystem::path file;
        std::shared_ptr<const PosedPhotos> photos;  // whose camera resamples it
        int view = 0;
        CameraRow row;  // its camera
        std::uintmax_t size = 0;
        std::filesystem::file_time_type written;
        std::filesystem::file_time_type maskWritten;  // as it is made where there is no mask
        std::shared_ptr<const Image> image;           // null: a thread is reading it

        bool operator==(const Entry& other) const;  // the same view of the same files
    };

    void makeRoom(std::size_t bytes);

    const std::size_t mostBytes_;
    mutable std::mutex mutex_;
    std::condition_variable read_;
    std::list<Entry> entries_;  // the one used last first
    Counts counts_;
};

}  // namespace threefold::ui
