#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
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

/// Order of decoded pixels: upright by EXIF's orientation, or as stored in the file.
enum class PixelOrder { upright, stored };

/// Decodes PNG (1 to 16 bit; grey, palette, RGB, each with or without alpha; interlaced), JPEG
/// (grey, YCbCr, inverted CMYK/YCCK; baseline, progressive), WebP (not animated), or, if libheif is
/// installed, HEIC and AVIF (the main picture). 16-bit samples keep their high byte. Colour
/// profiles are ignored. Safe for untrusted bytes. `subject` names the source in errors. Throws
/// NotThisFormat, FormatError (damaged, over 16384 pixels a side, more than `memory` bytes for
/// picture and decoder). `memory` is limited to 16 × the file's size + 512 MiB, for HEIC 128 ×.
Image decodeImage(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                  std::uint64_t memory = UINT64_MAX, PixelOrder order = PixelOrder::upright);

/// Reads and decodes a file, upright. Throws IoError, and as decodeImage().
Image readImage(const std::filesystem::path& file);

/// Writes an RGBA PNG, whole or not at all. Throws IoError; InputError if the pixels do not fit
/// width and height, or there are none.
void writePng(const std::filesystem::path& file, const Image& image);

struct ImageSize {
    int width = 0;
    int height = 0;
    bool operator==(const ImageSize&) const = default;
};

/// EXIF values of a picture that are used.
struct Exif {
    /// Orientation of the stored pixels, 1 to 8 as in EXIF; 1: upright.
    int orientation = 1;
    /// Focal length in terms of 35 mm film (24 × 36 mm), by the diagonals: mm, 8 to 1200. Of the
    /// picture before cropping.
    std::optional<double> focalLength35mm;
    /// Focal length below 8 or above 1200 mm in those terms, which no common lens has: not used.
    std::optional<double> implausibleFocalLength35mm = {};

    /// Whether rows become columns on the way to upright; the flips follow.
    bool swapsSides() const { return orientation > 4; }
    bool flipsX() const { return orientation % 4 > 1; }
    bool flipsY() const { return (orientation - 1) % 4 > 1; }
    /// Whether the stored picture is mirrored, so that no rotation alone makes it upright.
    bool mirrors() const { return swapsSides() == (flipsX() == flipsY()); }
};

/// Diagonal of 35 mm film (24 × 36 mm), in mm.
inline constexpr double kFilmDiagonal = 43.266615305567875;

/// Description of a picture, read without its pixels.
struct ImageInfo {
    ImageSize stored;     ///< of the pixels as stored in the file
    Exif exif;            ///< of eXIf, APP1 or EXIF, anywhere in the file
    std::string profile;  ///< colour profile's name; empty: sRGB, none, or a PNG

    ImageSize size(
        PixelOrder order = PixelOrder::upright) const;  ///< of the image from decodeImage()
};

/// Reads a picture's description without its pixels. Throws IoError, NotThisFormat (no signature of
/// a picture), FormatError (no size found, or zero).
ImageInfo readImageInfo(const std::filesystem::path& file);

/// Reads the description from bytes in memory. Throws as readImageInfo(), except IoError.
ImageInfo decodeImageInfo(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// Reads an EXIF block, with or without "Exif\0\0" before it. Safe for untrusted bytes: leaves out
/// values that are damaged, out of range or missing. Never throws.
Exif readExif(std::span<const std::byte> bytes);

/// Name of an ICC profile; empty for sRGB's, or if there is none. Never throws.
std::string nonSrgbProfileName(std::span<const std::byte> icc);

}  // namespace threefold
