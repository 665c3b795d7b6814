#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>

#include "engine/formats/pictures/image.h"

namespace threefold::ui {

/// Images decoded lately, so that running through an item's views decodes each once. A file that
/// was changed on disk (size or time of writing) is read again. One thread at a time.
class ViewCache {
  public:
    explicit ViewCache(std::size_t mostBytes = kUsualBytes) : mostBytes_(mostBytes) {}

    /// Throws as readImage(), and then keeps nothing of the file.
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
