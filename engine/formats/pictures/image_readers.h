#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Maximum width and height of a picture that is read, in pixels.
inline constexpr std::uint32_t kMaxImageSide = 16384;

/// Whether the bytes begin like a file of the format.
bool isPng(std::span<const std::byte> bytes);
bool isJpeg(std::span<const std::byte> bytes);
bool isWebp(std::span<const std::byte> bytes);
bool isHeic(std::span<const std::byte> bytes);  ///< AVIF as well

/// Reads the description as decodeImageInfo() does, but with a size that is not above zero if none
/// is found.
ImageInfo imageInfoOf(std::span<const std::byte> bytes, const std::filesystem::path& subject);
ImageSize sizeOfWebp(std::span<const std::byte> bytes);
/// Reads the description of a HEIC or AVIF file, rotated by the file's own properties: upright.
/// Throws NotThisFormat if libheif is not installed.
ImageInfo infoOfHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// Decode bytes that begin as the format's files do; pixels stay as stored unless `exif` is given.
/// Throw FormatError.
Image decodePng(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                std::uint64_t memory = UINT64_MAX);
Image decodeWebp(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memory = UINT64_MAX);
Image decodeHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memory = UINT64_MAX);
Image decodeJpeg(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memory = UINT64_MAX, const Exif& exif = {});

/// Copies stored rows (RGBA, `width` pixels each) to their upright positions by `exif`. `first`:
/// index of the first row in the stored picture. `upright` has the upright size.
void placeUpright(std::span<const std::uint8_t> rows, std::ptrdiff_t width, std::ptrdiff_t first,
                  const Exif& exif, Image& upright);

/// Encodes a PNG file; width, height and pixels must fit each other.
std::vector<std::byte> encodePng(const Image& image);

/// Encodes a lossy WebP with its alpha; `quality` 1…100. Width and height are at most 16383, and
/// fit the pixels. Throws InputError.
std::vector<std::byte> encodeWebp(const Image& image, int quality);

/// Limits for decoding a file's picture.
struct ImageBudget {
    std::uint64_t fileSize = 0;         ///< bytes
    std::uint64_t pixels = 0;           ///< maximum that a file of this size can hold
    std::uint64_t working = 0;          ///< bytes of the decoder besides the picture
    std::uint64_t memory = UINT64_MAX;  ///< bytes available for both
    std::uint64_t compression = 1;      ///< factor by which the format is smaller than a JPEG
};

/// Makes an image of this size to be filled. Throws FormatError if a side is too long, if the file
/// cannot hold as many pixels, or if picture and decoder would take more memory than is available,
/// or than 16 × the file's size × its compression + 512 MiB.
Image emptyImage(std::uint32_t width, std::uint32_t height, const ImageBudget& budget,
                 const std::filesystem::path& subject, std::size_t offset);

/// Writes a PNG row by row, so that a picture of hundreds of megapixels need never be in memory as
/// a whole. Throws InputError for a size or number of rows that the format lacks, or without
/// memory.
class PngWriter {
  public:
    /// `width`, `height`: 1 to 2³¹ − 1 pixels. `dotsPerMetre` 0: no physical size is written.
    PngWriter(int width, int height, int dotsPerMetre = 0);
    ~PngWriter();

    /// Adds the next rows from the top: width × 4 bytes each, straight RGBA. Any number of whole
    /// rows, `height` in all.
    void addRows(std::span<const std::uint8_t> rgba);

    /// Returns the file's bytes. Call once, after the last row.
    std::vector<std::byte> finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold
