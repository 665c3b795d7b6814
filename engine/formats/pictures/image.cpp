#include "engine/formats/pictures/image.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pictures/image_readers.h"

namespace threefold {
namespace {

constexpr std::size_t kChannels = 4;
constexpr const char* kSmallerRemedy =
    "Save the image smaller: the network sees 224 x 224 pixels of it.";

struct Reader {
    bool (*recognises)(std::span<const std::byte> bytes);
    Image (*decode)(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                    std::uint64_t memory);
};

/// Asked in this order; signatures differ, so it only matters for speed.
constexpr Reader kReaders[] = {{isPng, decodePng}, {isJpeg, decodeJpeg}};

using Bytes = std::span<const std::byte>;

std::uint32_t bigEndian(Bytes bytes, std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value = value << 8U | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

std::optional<ImageSize> checkedSize(std::uint32_t width, std::uint32_t height) {
    constexpr std::uint32_t kMost = std::numeric_limits<int>::max();
    if (width == 0 || height == 0 || width > kMost || height > kMost) return std::nullopt;
    return ImageSize{static_cast<int>(width), static_cast<int>(height)};
}

std::optional<ImageSize> sizeOfPng(Bytes bytes) {
    constexpr std::size_t kWidth = 16;
    constexpr std::size_t kHeight = 20;
    if (bytes.size() < kHeight + 4) return std::nullopt;
    return checkedSize(bigEndian(bytes, kWidth, 4), bigEndian(bytes, kHeight, 4));
}

/// Walks the segments to the frame's header.
std::optional<ImageSize> sizeOfJpeg(Bytes bytes) {
    constexpr std::uint32_t kMark = 0xFF;
    std::size_t at = 2;
    while (at + 4 <= bytes.size()) {
        if (bigEndian(bytes, at, 1) != kMark) return std::nullopt;
        const std::uint32_t kind = bigEndian(bytes, at + 1, 1);
        if (kind == kMark) {  // padding
            ++at;
            continue;
        }
        const bool frame =
            kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC;
        if (frame) {
            if (at + 9 > bytes.size()) return std::nullopt;
            return checkedSize(bigEndian(bytes, at + 7, 2), bigEndian(bytes, at + 5, 2));
        }
        const std::uint32_t length = bigEndian(bytes, at + 2, 2);
        if (length < 2) return std::nullopt;
        at += 2 + length;
    }
    return std::nullopt;
}

}  // namespace

Image emptyImage(std::uint32_t width, std::uint32_t height, const ImageBudget& budget,
                 const std::filesystem::path& subject, std::size_t offset) {
    if (width == 0 || height == 0)
        failAtByte(subject, offset, fmt::format("an image of {} x {} pixels", width, height));
    if (width > kLargestSide || height > kLargestSide)
        failAtByte(
            subject, offset,
            fmt::format("{} x {} pixels, at most {} a side are read", width, height, kLargestSide),
            kSmallerRemedy);
    const std::uint64_t pixels = std::uint64_t{width} * height;
    if (pixels > budget.pixels)
        failAtByte(subject, offset,
                   fmt::format("{} x {} pixels are declared, more than a file of "
                               "this size can hold",
                               width, height));
    constexpr std::uint64_t kSpare = std::uint64_t{64} << 20;
    const std::uint64_t needed = pixels * kChannels + budget.working;
    const std::uint64_t allowed = std::min(16 * budget.fileSize + kSpare, budget.memory);
    if (needed > allowed)
        failAtByte(subject, offset,
                   fmt::format("{} x {} pixels take {} MB of memory, at most {} MB are given to a "
                               "file of {} bytes",
                               width, height, needed >> 20, allowed >> 20, budget.fileSize),
                   kSmallerRemedy);
    Image image;
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
    image.rgba.resize(std::size_t{width} * height * kChannels);
    return image;
}

Image decodeImage(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                  std::uint64_t memory) {
    for (const Reader& reader : kReaders)
        if (reader.recognises(bytes)) return reader.decode(bytes, subject, memory);
    throw NotThisFormat({subject.string(), "byte 0", "is neither a PNG nor a JPEG image",
                         "Save the image as PNG or JPEG."});
}

Image readImage(const std::filesystem::path& file) {
    return decodeImage(readFile(file, kLargestContent), file);
}

void writePng(const std::filesystem::path& file, const Image& image) {
    if (!image.isComplete())
        throw InputError({file.string(), "",
                          fmt::format("an image of {} x {} with {} bytes of pixels cannot be saved",
                                      image.width, image.height, image.rgba.size()),
                          "Give it four bytes a pixel."});
    writeFileWhole(file, encodePng(image));
}

ImageSize readImageSize(const std::filesystem::path& file) {
    return decodeImageSize(MappedFile(file).bytes(), file);
}

ImageSize decodeImageSize(Bytes bytes, const std::filesystem::path& subject) {
    std::optional<ImageSize> size;
    if (isPng(bytes)) {
        size = sizeOfPng(bytes);
    } else if (isJpeg(bytes)) {
        size = sizeOfJpeg(bytes);
    } else {
        throw NotThisFormat(
            {subject.string(), "", "is neither PNG nor JPEG", "Give a PNG or JPEG file."});
    }
    if (!size)
        throw FormatError({subject.string(), "", "has no size in its header",
                           "The file is damaged or cut off: write it again."});
    return *size;
}

}  // namespace threefold
