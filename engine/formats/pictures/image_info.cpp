#include "engine/formats/pictures/image_info.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/files/unsupported_kinds.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/formats/pictures/picture_formats.h"

namespace threefold {
namespace {

using namespace std::string_view_literals;
using Bytes = std::span<const std::byte>;

/// At most `count` bytes from offset `at` on, which is within `bytes`.
Bytes slice(Bytes bytes, std::size_t at, std::size_t count) {
    return bytes.subspan(at, std::min(count, bytes.size() - at));
}

ImageSize sizeAt(const EndianReader& numbers, std::size_t width, std::size_t height,
                 unsigned bytes) {
    return {static_cast<int>(numbers.read(width, bytes)),
            static_cast<int>(numbers.read(height, bytes))};
}

/// Reads the chunks of a PNG or WebP. The colour profile of a PNG, which is compressed, is left
/// out.
ImageInfo infoOfChunks(Bytes bytes, bool png) {
    const EndianReader numbers(bytes, png ? std::endian::big : std::endian::little);
    ImageInfo info;
    info.stored = png ? sizeAt(numbers, 16, 20, 4) : webpSize(bytes);
    std::uint64_t at = png ? 8 : 12;
    bool hasExif = false;
    while (at + 8 <= bytes.size()) {
        const std::uint32_t length = numbers.read(png ? at : at + 4, 4);
        const std::string_view kind = asText(bytes.subspan(png ? at + 4 : at, 4));
        const Bytes content = slice(bytes, at + 8, length);
        if (kind == "IEND") break;
        const bool exif = kind == "eXIf" || kind == "EXIF";
        // A PNG may have its EXIF after the pixels. The first EXIF counts.
        if (exif && !std::exchange(hasExif, true)) info.exif = readExif(content);
        if (kind == "ICCP") info.profile = nonSrgbProfileName(content);
        at += 8 + std::uint64_t{length} + (png ? 4 : length % 2);
    }
    return info;
}

/// Reads the segments of a JPEG, up to its pixels.
ImageInfo infoOfJpeg(Bytes bytes) {
    constexpr std::uint32_t kMark = 0xFF;
    constexpr std::size_t kProfileHead = 14;  // signature, part number and count
    const EndianReader numbers(bytes, std::endian::big);
    ImageInfo info;
    bool hasExif = false;
    for (std::size_t at = 2; at + 4 <= bytes.size() && numbers.read(at, 1) == kMark;) {
        const std::uint32_t kind = numbers.read(at + 1, 1);
        if (kind == kMark) {  // padding
            ++at;
            continue;
        }
        const std::uint32_t length = numbers.read(at + 2, 2);
        if (kind == 0xDA || length < 2) break;  // pixels
        const Bytes content = slice(bytes, at + 4, length - 2);
        const bool frame =
            kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC;
        if (frame && info.stored.width == 0) info.stored = sizeAt(numbers, at + 7, at + 5, 2);
        const bool exif = kind == 0xE1 && asText(content).starts_with("Exif\0\0"sv);
        if (exif && !std::exchange(hasExif, true)) info.exif = readExif(content);
        if (kind == 0xE2 && content.size() > kProfileHead &&
            asText(content).starts_with("ICC_PROFILE\0\1"sv))
            info.profile = nonSrgbProfileName(content.subspan(kProfileHead));
        at += 2 + length;
    }
    return info;
}

[[noreturn]] void failNoPicture(Bytes bytes, const std::filesystem::path& subject) {
    if (bytes.empty())
        throw NotThisFormat(
            {subject.string(), "", "is empty, no picture", "Copy or save the picture again."});
    if (const auto kind = unsupportedKind(bytes))
        throw NotThisFormat({subject.string(), "",
                             fmt::format("is {}, which is not supported", kind->name),
                             std::string(kind->remedy)});
    if (asText(slice(bytes, std::min<std::size_t>(4, bytes.size()), 4)) == "ftyp")
        throw NotThisFormat({subject.string(), "byte 0",
                             "is a video, or a picture of a kind that is not supported",
                             "Save the picture as PNG or JPEG."});
    throw NotThisFormat({subject.string(), "byte 0",
                         fmt::format("is no {} image", pictureFormatNames(" or ")),
                         "Save the image as PNG or JPEG."});
}

}  // namespace

ImageInfo imageInfoOf(Bytes bytes, const std::filesystem::path& subject) {
    if (isJpeg(bytes)) return infoOfJpeg(bytes);
    if (isPng(bytes) || isWebp(bytes)) return infoOfChunks(bytes, isPng(bytes));
    if (isHeic(bytes)) return heicInfo(bytes, subject);
    failNoPicture(bytes, subject);
}

ImageSize ImageInfo::size(PixelOrder order) const {
    const bool swapped = order == PixelOrder::upright && exif.swapsSides();
    return swapped ? ImageSize{stored.height, stored.width} : stored;
}

ImageInfo decodeImageInfo(Bytes bytes, const std::filesystem::path& subject) {
    ImageInfo info = imageInfoOf(bytes, subject);
    if (info.stored.width <= 0 || info.stored.height <= 0)
        throw FormatError({subject.string(), "", "has no size in its header",
                           "The file is damaged or cut off: write it again."});
    return info;
}

ImageInfo readImageInfo(const std::filesystem::path& file) {
    return MappedFile(file).decode([&](auto bytes) { return decodeImageInfo(bytes, file); });
}

std::string nonSrgbProfileName(std::span<const std::byte> icc) {
    constexpr std::uint64_t kMaxLength = 60;
    const EndianReader numbers(icc, std::endian::big);
    std::uint64_t tag = 132;
    while (tag < icc.size() && numbers.read(tag, 4) != 0x64657363) tag += 12;  // desc
    const std::uint64_t description = numbers.read(tag + 4, 4);
    const bool isUtf16 = numbers.read(description, 4) == 0x6D6C7563;  // mluc, since version 4
    const unsigned width = isUtf16 ? 2 : 1;
    const std::uint64_t first = description + (isUtf16 ? numbers.read(description + 24, 4) : 12);
    const std::uint64_t length = numbers.read(description + (isUtf16 ? 20 : 8), 4) / width;
    std::string name;
    for (std::uint64_t i = 0; i < std::min(length, kMaxLength); ++i) {
        const std::uint32_t letter = numbers.read(first + i * width, width);
        if (letter < ' ') break;
        name += letter < 0x7F ? static_cast<char>(letter) : '?';
    }
    return name.find("sRGB") == std::string::npos ? name : std::string();
}

}  // namespace threefold
