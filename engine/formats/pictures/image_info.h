#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "engine/formats/pictures/exif.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

/// Description of a picture, read without its pixels.
struct ImageInfo {
    ImageSize stored;  ///< of the pixels as stored in the file; HEIC: upright
    /// From eXIf (PNG) or EXIF (WebP), anywhere in the file; from APP1 (JPEG), before the pixels;
    /// or from Exif (HEIC).
    Exif exif;
    std::string profile;  ///< colour profile's name; empty: sRGB, none, or a PNG or HEIC

    ImageSize size(
        PixelOrder order = PixelOrder::upright) const;  ///< of the image from decodeImage()
};

/// Reads a picture's description without its pixels. Throws IoError, NotThisFormat (no signature of
/// a picture), FormatError (no size found, or zero).
ImageInfo readImageInfo(const std::filesystem::path& file);

/// Reads the description from bytes in memory. Throws as readImageInfo(), except IoError.
ImageInfo decodeImageInfo(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// Name of an ICC profile; empty for an sRGB profile, or if there is no name. Never throws.
std::string nonSrgbProfileName(std::span<const std::byte> icc);

}  // namespace threefold
