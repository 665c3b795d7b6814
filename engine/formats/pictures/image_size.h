#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace threefold {

struct ImageSize {
    int width = 0;
    int height = 0;
    bool operator==(const ImageSize&) const = default;
};

/// Width and height in pixels of a PNG or JPEG, from its first bytes; what follows is not looked
/// at. Throws IoError, NotThisFormat (neither signature), FormatError (no size found, or zero).
ImageSize readImageSize(const std::filesystem::path& file);

/// The same of bytes in memory.
ImageSize decodeImageSize(std::span<const std::byte> bytes, const std::filesystem::path& subject);

}  // namespace threefold
