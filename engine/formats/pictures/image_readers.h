#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

inline constexpr std::uint32_t kLargestSide = 16384;

/// Whether the bytes begin as the format's files do.
bool isPng(std::span<const std::byte> bytes);
bool isJpeg(std::span<const std::byte> bytes);
bool isWebp(std::span<const std::byte> bytes);
bool isHeic(std::span<const std::byte> bytes);  ///< AVIF as well

/// As decodeImageHead, but where the size is not found it is not above zero.
ImageHead headOf(std::span<const std::byte> bytes, const std::filesystem::path& subject);
ImageSize sizeOfWebp(std::span<const std::byte> bytes);
/// As the file's own turns have it: upright. NotThisFormat: libheif is not installed.
ImageHead headOfHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// As decodeImage, of bytes that begin as the format's files do, the pixels as they are stored
/// unless `exif` is given. Throw FormatError.
Image decodePng(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                std::uint64_t memory = UINT64_MAX);
Image decodeWebp(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memory = UINT64_MAX);
Image decodeHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memory = UINT64_MAX);
Image decodeJpeg(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memory = UINT64_MAX, const Exif& exif = {});

/// Puts stored rows (RGBA, `width` pixels each), of which the first is row `first` of the stored
/// picture, where `exif` wants them; `upright` has the upright size.
void placeUpright(std::span<const std::uint8_t> rows, std::ptrdiff_t width, std::ptrdiff_t first,
                  const Exif& exif, Image& upright);

/// A PNG file's bytes; width, height and pixels must fit each other.
std::vector<std::byte> encodePng(const Image& image);

/// The limits of a file's picture.
struct ImageBudget {
    std::uint64_t fileSize = 0;         ///< bytes
    std::uint64_t pixels = 0;           ///< the most that so many bytes can be unpacked to
    std::uint64_t working = 0;          ///< bytes that the decoder takes besides the picture
    std::uint64_t memory = UINT64_MAX;  ///< bytes available for both
};

/// An image of this size to be filled. Throws FormatError if a side is too long, if the file cannot
/// hold as much, or if picture and decoder would take more memory than is available, or than 16 ×
/// the file's size + 512 MiB.
Image emptyImage(std::uint32_t width, std::uint32_t height, const ImageBudget& budget,
                 const std::filesystem::path& subject, std::size_t offset);

/// Compresses a picture as its rows come, so that it need never be in memory as a whole: for
/// pictures of hundreds of megapixels. Throws InputError where the format has no such picture.
class PngRows {
  public:
    /// 1 to 2³¹ − 1 pixels a side; 0 dots a metre: nothing is said of its size.
    PngRows(int width, int height, int dotsPerMetre = 0);
    ~PngRows();

    /// The next rows from the top: width × 4 bytes each, straight RGBA. Any number of whole rows,
    /// `height` in all.
    void add(std::span<const std::uint8_t> rgba);

    /// The file's bytes, after the last row.
    std::vector<std::byte> finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold
