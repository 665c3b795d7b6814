#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace threefold {

/// 8-bit RGBA, rows top to bottom, no padding. Images without alpha get alpha 255.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  ///< (height, width, 4)

    /// Whether it has pixels, and as many as its size requires.
    bool isComplete() const {
        return width > 0 && height > 0 &&
               rgba.size() ==
                   4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
};

/// Decodes PNG (1 to 16 bit; grey, palette, RGB, each with or without alpha; interlaced) or JPEG
/// (grey, YCbCr, inverted CMYK/YCCK; baseline, progressive). 16-bit samples keep their high byte.
/// Colour profiles and EXIF orientation are ignored. Safe for untrusted bytes. `subject` names the
/// source in errors. Throws NotThisFormat, FormatError (damaged, over 16384 pixels a side, more
/// than `memory` bytes for picture and decoder, which is at most 16 × the file's size + 64 MiB).
Image decodeImage(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                  std::uint64_t memory = UINT64_MAX);

/// Reads and decodes; throws IoError as well.
Image readImage(const std::filesystem::path& file);

/// Writes an RGBA PNG, whole or not at all. Throws IoError; InputError where the pixels do not fit
/// width and height, or there are none.
void writePng(const std::filesystem::path& file, const Image& image);

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
