#include <cstdint>
#include <memory>

#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/formats/pictures/image_writers.h"

namespace threefold {
namespace {

const std::uint8_t* dataOf(std::span<const std::byte> bytes) {
    return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

/// Features of a WebP; all zero if the header is unreadable.
WebPBitstreamFeatures featuresOf(std::span<const std::byte> bytes) {
    WebPBitstreamFeatures features{};
    return WebPGetFeatures(dataOf(bytes), bytes.size(), &features) == VP8_STATUS_OK
               ? features
               : WebPBitstreamFeatures{};
}

}  // namespace

bool isWebp(std::span<const std::byte> bytes) {
    return bytes.size() >= 12 && asText(bytes).starts_with("RIFF") &&
           asText(bytes.subspan(8, 4)) == "WEBP";
}

ImageSize webpSize(std::span<const std::byte> bytes) {
    const WebPBitstreamFeatures features = featuresOf(bytes);
    return {features.width, features.height};
}

Image decodeWebp(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memoryLimit) {
    const WebPBitstreamFeatures features = featuresOf(bytes);
    if (features.has_animation != 0)
        failAtByte(subject, 0, "is an animated WebP, which is not supported",
                   "Save one of its frames as PNG or JPEG.");
    const auto width = static_cast<std::uint32_t>(features.width);
    const auto height = static_cast<std::uint32_t>(features.height);
    // For a lossy file, libwebp unpacks the whole alpha channel; for a lossless file, libwebp holds
    // all pixels a second time.
    const std::uint64_t working = features.format != 1 ? 4 : features.has_alpha != 0 ? 2 : 0;
    // A picture of one colour takes a few bytes at any size: memory alone is the limit.
    const ImageBudget budget{bytes.size(), UINT64_MAX,
                             working * width * height + (std::uint64_t{4} << 20), memoryLimit};
    Image image = emptyImage(width, height, budget, subject, 0);
    if (WebPDecodeRGBAInto(dataOf(bytes), bytes.size(), image.rgba.data(), image.rgba.size(),
                           4 * image.width) == nullptr)
        failAtByte(subject, 0, "damaged WebP: its pixels cannot be read, or not all of them");
    return image;
}

std::vector<std::byte> encodeWebp(const Image& image, int quality) {
    if (!image.isComplete())
        throw InputError({"image", "", "has no pixels, or not as many as its size", ""});
    std::uint8_t* encoded = nullptr;
    const std::size_t size = WebPEncodeRGBA(image.rgba.data(), image.width, image.height,
                                            4 * image.width, static_cast<float>(quality), &encoded);
    const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> owned(encoded, WebPFree);
    if (size == 0)
        throw InputError(
            {"image", "",
             fmt::format("{} × {} pixels do not fit a WebP, which has at most {} a side",
                         image.width, image.height, WEBP_MAX_DIMENSION),
             "Choose a smaller size."});
    const auto* first = reinterpret_cast<const std::byte*>(encoded);
    return {first, first + size};
}

}  // namespace threefold
