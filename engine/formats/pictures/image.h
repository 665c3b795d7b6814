#pragma once

#include <algorithm>
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

    /// Whether the image has pixels, as many as its size requires.
    bool isComplete() const {
        return width > 0 && height > 0 &&
               rgba.size() ==
                   4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
};

/// Size of a picture, pixels.
struct ImageSize {
    int width = 0;
    int height = 0;

    int longerSide() const { return std::max(width, height); }
    bool operator==(const ImageSize&) const = default;
};

/// Order of decoded pixels: upright by EXIF's orientation, or as stored in the file.
enum class PixelOrder { upright, stored };

/// Decodes PNG (1 to 16 bit; grey, palette, RGB, each with or without alpha; interlaced), JPEG
/// (grey, YCbCr, inverted CMYK/YCCK; baseline, progressive), WebP (not animated), or, if libheif is
/// installed, HEIC and AVIF (the main picture). 16-bit samples keep their high byte. Colour
/// profiles are ignored. Safe for untrusted bytes. `subject` names the source in errors. Throws
/// NotThisFormat; FormatError if the file is damaged, a side exceeds 16384 pixels, or picture and
/// decoder take more bytes than `memoryLimit` or than 16 × the file's size (HEIC: 128 ×) + 512 MiB.
Image decodeImage(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                  std::uint64_t memoryLimit = UINT64_MAX, PixelOrder order = PixelOrder::upright);

/// Reads and decodes a file, upright. Throws IoError, and as decodeImage().
Image readImage(const std::filesystem::path& file);

/// Writes an RGBA PNG, whole or not at all. Throws IoError; InputError if the pixels do not fit
/// width and height, or there are none.
void writePng(const std::filesystem::path& file, const Image& image);

}  // namespace threefold
