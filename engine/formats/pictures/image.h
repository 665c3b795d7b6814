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

/// Upright, as EXIF's orientation has it, or as the file stores its pixels.
enum class PixelOrder { upright, stored };

/// Decodes PNG (1 to 16 bit; grey, palette, RGB, each with or without alpha; interlaced), JPEG
/// (grey, YCbCr, inverted CMYK/YCCK; baseline, progressive), WebP (not animated), or, where libheif
/// is installed, HEIC and AVIF (the main picture). 16-bit samples keep their high byte. Colour
/// profiles are ignored. Safe for untrusted bytes. `subject` names the source in errors. Throws
/// NotThisFormat, FormatError (damaged, over 16384 pixels a side, more than `memory` bytes for
/// picture and decoder, which is at most 16 × the file's size + 512 MiB, of HEIC 128 ×).
Image decodeImage(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                  std::uint64_t memory = UINT64_MAX, PixelOrder order = PixelOrder::upright);

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

/// What a camera wrote beside its pixels, as far as it is used.
struct Exif {
    /// 1 to 8, as EXIF numbers the ways in which a picture is stored; 1: upright.
    int orientation = 1;
    /// The focal length that shows as much on film of 24 × 36 mm, by the diagonals: mm, 1 to 5000.
    /// Of the picture before it was cropped.
    std::optional<double> focal35;
    /// The same where it is below 8 or above 1200 mm, which no usual lens has: not used.
    std::optional<double> doubtedFocal35 = {};

    /// To become upright: rows become columns, then the sides change places.
    bool swapsSides() const { return orientation > 4; }
    bool flipsX() const { return orientation % 4 > 1; }
    bool flipsY() const { return (orientation - 1) % 4 > 1; }
    /// What no turn alone makes upright.
    bool mirrors() const { return swapsSides() == (flipsX() == flipsY()); }
};

/// The diagonal of film of 24 × 36 mm, in mm.
inline constexpr double kFilmDiagonal = 43.266615305567875;

/// What a file says of its picture.
struct ImageHead {
    ImageSize stored;     ///< of the pixels as they are in the file
    Exif exif;            ///< of eXIf, APP1 or EXIF, wherever it stands
    std::string profile;  ///< its colour profile's name, but sRGB's; not looked for in PNG

    ImageSize size(PixelOrder order = PixelOrder::upright) const;  ///< of what decodeImage() gives
};

/// Without a look at the pixels. Throws IoError, NotThisFormat (no signature of a picture),
/// FormatError (no size found, or zero).
ImageHead readImageHead(const std::filesystem::path& file);

/// The same of bytes in memory.
ImageHead decodeImageHead(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// An EXIF block, with or without "Exif\0\0" before it. For untrusted bytes: what is damaged, out
/// of range or not there is left out; nothing is thrown.
Exif readExif(std::span<const std::byte> bytes);

/// The name of an ICC profile, unless it is sRGB's: empty then, and where none is found. Never
/// throws.
std::string profileBesideSrgb(std::span<const std::byte> icc);

}  // namespace threefold
