#include "engine/formats/pictures/image.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/formats/pictures/image_writers.h"

namespace threefold {
namespace {

constexpr std::size_t kChannels = 4;
constexpr const char* kSmallerRemedy =
    "Save the image smaller: the network sees 224 x 224 pixels of it.";

/// Maximum bytes of memory for decoding a file of this size.
std::uint64_t allowedMemory(std::uint64_t fileSize, std::uint64_t memoryLimit) {
    // Room for 64 megapixels twice, in the decoder and as its result. 16 × the file's size is too
    // little for masks and almost uniform photographs, which compress to less than a 16th.
    constexpr std::uint64_t kSpare = std::uint64_t{512} << 20;
    return std::min(16 * fileSize + kSpare, memoryLimit);
}

}  // namespace

Image emptyImage(std::uint32_t width, std::uint32_t height, const ImageBudget& budget,
                 const std::filesystem::path& subject, std::size_t offset) {
    if (width == 0 || height == 0)
        failAtByte(subject, offset, fmt::format("an image of {} x {} pixels", width, height));
    if (width > kMaxImageSide || height > kMaxImageSide)
        failAtByte(subject, offset,
                   fmt::format("{} x {} pixels, but at most {} a side are supported", width, height,
                               kMaxImageSide),
                   kSmallerRemedy);
    const std::uint64_t pixels = std::uint64_t{width} * height;
    if (pixels > budget.maxPixels)
        failAtByte(subject, offset,
                   fmt::format("{} x {} pixels are declared, more than a file of "
                               "this size can hold",
                               width, height));
    const std::uint64_t needed = pixels * kChannels + budget.decoderBytes;
    const std::uint64_t allowed =
        allowedMemory(budget.compressionFactor * budget.fileSize, budget.memoryLimit);
    if (needed > allowed)
        failAtByte(
            subject, offset,
            fmt::format("{} x {} pixels take {} MB of memory, but at most {} MB are allowed for a "
                        "file of {} bytes",
                        width, height, needed >> 20, allowed >> 20, budget.fileSize),
            kSmallerRemedy);
    Image image;
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
    image.rgba.resize(std::size_t{width} * height * kChannels);
    return image;
}

void placeUpright(std::span<const std::uint8_t> rows, std::ptrdiff_t width, std::ptrdiff_t first,
                  const Exif& exif, Image& upright) {
    constexpr std::ptrdiff_t kPixel = kChannels;
    const std::ptrdiff_t line = kPixel * upright.width;
    const std::ptrdiff_t across = exif.flipsX() ? -kPixel : kPixel;
    const std::ptrdiff_t down = exif.flipsY() ? -line : line;
    const std::ptrdiff_t stepX = exif.swapsSides() ? down : across;
    const std::ptrdiff_t stepY = exif.swapsSides() ? across : down;
    const std::ptrdiff_t start = (exif.flipsX() ? line - kPixel : 0) +
                                 (exif.flipsY() ? line * (upright.height - 1) : 0) + first * stepY;
    const auto count = std::ssize(rows) / (kPixel * width);
    const std::ptrdiff_t run = stepX == kPixel ? width : 1;  // pixels that stay adjacent
    for (std::ptrdiff_t x = 0; x < width; x += run)
        for (std::ptrdiff_t y = 0; y < count; ++y)
            std::memcpy(upright.rgba.data() + start + x * stepX + y * stepY,
                        rows.data() + kPixel * (y * width + x),
                        static_cast<std::size_t>(kPixel * run));
}

Image decodeImage(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                  std::uint64_t memoryLimit, PixelOrder order) {
    Exif exif = imageInfoOf(bytes, subject).exif;
    if (order == PixelOrder::stored) exif.orientation = 1;
    if (isJpeg(bytes)) return decodeJpeg(bytes, subject, memoryLimit, exif);
    auto* decode = isPng(bytes) ? &decodePng : isHeic(bytes) ? &decodeHeic : &decodeWebp;
    if (exif.orientation == 1) return decode(bytes, subject, memoryLimit);
    Image stored = decode(bytes, subject, allowedMemory(bytes.size(), memoryLimit) / 2);
    Image upright{stored.width, stored.height, {}};
    if (exif.swapsSides()) std::swap(upright.width, upright.height);
    upright.rgba.resize(stored.rgba.size());
    placeUpright(stored.rgba, stored.width, 0, exif, upright);
    return upright;
}

Image readImage(const std::filesystem::path& file) {
    return decodeImage(readFile(file, kMaxContentBytes), file);
}

void writePng(const std::filesystem::path& file, const Image& image) {
    if (!image.isComplete())
        throw InputError({file.string(), "",
                          fmt::format("an image of {} x {} with {} bytes of pixels cannot be saved",
                                      image.width, image.height, image.rgba.size()),
                          "Give it four bytes a pixel."});
    writeFileAtomically(file, encodePng(image));
}

}  // namespace threefold
