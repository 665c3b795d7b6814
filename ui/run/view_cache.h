#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>

#include "engine/formats/pictures/image.h"

namespace threefold::ui {

/// Recently decoded images. A file whose size or modification time has changed is read again. For
/// one thread at a time.
class ViewCache {
  public:
    explicit ViewCache(std::size_t mostBytes = kUsualBytes) : mostBytes_(mostBytes) {}

    /// Throws as readImage().
    std::shared_ptr<const Image> read(const std::filesystem::path& file);

    std::size_t bytes() const { return bytes_; }  ///< of all kept pixels; at most what was given
    std::size_t decoded() const { return decoded_; }  ///< images that were not there yet

  private:
    static constexpr std::size_t kUsualBytes = std::size_t{96} << 20;

    struct Entry {
        std::filesystem::path file;
        std::uintmax_t size = 0;
        std::filesystem::file_time_type written;
        std::shared_ptr<const Image> image;
    };

    std::size_t mostBytes_;
    std::size_t bytes_ = 0;
    std::size_t decoded_ = 0;
    std::list<Entry> entries_;  // the one used last first
};

}  // namespace threefold::ui
