#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

inline constexpr std::uint32_t kLargestSide = 16384;

/// Whether the bytes begin as the format's files do.
bool isPng(std::span<const std::byte> bytes);
bool isJpeg(std::span<const std::byte> bytes);

/// As decodeImage, of bytes that begin as the format's files do. Throw FormatError.
Image decodePng(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                std::uint64_t memory = UINT64_MAX);
Image decodeJpeg(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memory = UINT64_MAX);

/// A PNG file's bytes; width, height and pixels must fit each other.
std::vector<std::byte> encodePng(const Image& image);

/// What a file may stand for.
struct ImageBudget {
    std::uint64_t fileSize = 0;         ///< bytes
    std::uint64_t pixels = 0;           ///< the most that so many bytes can be unpacked to
    std::uint64_t working = 0;          ///< bytes that the decoder takes besides the picture
    std::uint64_t memory = UINT64_MAX;  ///< bytes that there are for both
};

/// An image of this size to be filled. Throws FormatError where a side is too long, where the file
/// cannot hold as much, or where picture and decoder would take more memory than there is, or than
/// 16 × the file's size + 64 MiB.
Image emptyImage(std::uint32_t width, std::uint32_t height, const ImageBudget& budget,
                 const std::filesystem::path& subject, std::size_t offset);

}  // namespace threefold
