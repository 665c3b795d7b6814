#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/formats/pictures/exif.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"

namespace threefold {

/// Maximum width and height of a picture that is read, in pixels.
inline constexpr std::uint32_t kMaxImageSide = 16384;

/// Whether the bytes begin like a file of the format.
bool isPng(std::span<const std::byte> bytes);
bool isJpeg(std::span<const std::byte> bytes);
bool isWebp(std::span<const std::byte> bytes);
bool isHeic(std::span<const std::byte> bytes);  ///< AVIF as well

/// Reads the description as decodeImageInfo() does, but does not refuse a picture without a size.
ImageInfo imageInfoOf(std::span<const std::byte> bytes, const std::filesystem::path& subject);
/// Size of a WebP picture; 0 × 0 if the header is unreadable.
ImageSize webpSize(std::span<const std::byte> bytes);
/// Reads the description of a HEIC or AVIF file. The size is upright: the file's own rotation is
/// applied. Throws NotThisFormat if libheif is not installed.
ImageInfo heicInfo(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// Decode a whole file, whose bytes must begin like the format. decodeJpeg() turns the pixels
/// upright by `exif`, decodeHeic() by the file's own rotation; other pixels stay as stored.
/// `memoryLimit`: as in decodeImage(). Throw FormatError.
Image decodePng(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                std::uint64_t memoryLimit = UINT64_MAX);
Image decodeWebp(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memoryLimit = UINT64_MAX);
Image decodeHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memoryLimit = UINT64_MAX);
Image decodeJpeg(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memoryLimit = UINT64_MAX, const Exif& exif = {});

/// Copies stored rows (RGBA, `width` pixels each) to their upright positions by `exif`. `first`:
/// index of the first row in the stored picture. `upright` has the upright size.
void placeUpright(std::span<const std::uint8_t> rows, std::ptrdiff_t width, std::ptrdiff_t first,
                  const Exif& exif, Image& upright);

/// Limits for decoding a file's picture.
struct ImageBudget {
    std::uint64_t fileSize = 0;              ///< bytes
    std::uint64_t maxPixels = 0;             ///< pixels that a file of this size can hold
    std::uint64_t decoderBytes = 0;          ///< memory of the decoder besides the picture
    std::uint64_t memoryLimit = UINT64_MAX;  ///< bytes for picture and decoder
    std::uint64_t compressionFactor = 1;     ///< factor by which the format is smaller than a JPEG
};

/// Makes an image of this size to be filled. Throws FormatError if a side is too long, if the file
/// cannot hold as many pixels, or if picture and decoder would take more memory than is available,
/// or than 16 × the file's size × compressionFactor + 512 MiB.
Image emptyImage(std::uint32_t width, std::uint32_t height, const ImageBudget& budget,
                 const std::filesystem::path& subject, std::size_t offset);

}  // namespace threefold
