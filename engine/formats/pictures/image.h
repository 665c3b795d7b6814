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
};

/// Decodes PNG (1 to 16 bit; grey, grey+alpha, palette with tRNS, RGB, RGBA; interlaced) or JPEG
/// (grey, YCbCr, CMYK/YCCK stored inverted as usual; baseline, progressive). 16-bit samples keep
/// their high byte. Colour profiles and EXIF orientation are not applied: the network is fed what
/// the file stores. Safe for untrusted bytes. `subject` names the source in errors. Throws
/// NotThisFormat (neither signature), FormatError (damaged, over 16384 pixels a side, more than
/// `memory` bytes for picture and decoder, which is never more than 16 × the file's size + 64 MiB).
Image decodeImage(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                  std::uint64_t memory = UINT64_MAX);

/// Reads and decodes; throws IoError as well.
Image readImage(const std::filesystem::path& file);

/// Writes an RGBA PNG, whole or not at all. Throws IoError; InputError where the pixels do not fit
/// width and height, or there are none.
void writePng(const std::filesystem::path& file, const Image& image);

}  // namespace threefold
