#include "engine/formats/pictures/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

using namespace std::string_view_literals;

/// A directory of a TIFF file. Those that it names are not followed: there is no loop.
struct TiffDirectory {
    const NumbersAt& numbers;
    std::uint64_t at;

    /// The first value of an entry: 0 where there is none, or none of this kind.
    std::uint32_t whole(std::uint32_t tag) const {
        return std::max(numbers(valueOf(tag, 3), 2), numbers(valueOf(tag, 4), 4));  // 16, 32 bits
    }
    double ratio(std::uint32_t tag) const {
        const std::uint64_t place = numbers(valueOf(tag, 5), 4);
        if (place == 0) return 0;  // no such entry: the block's own beginning is no ratio
        const double below = numbers(place + 4, 4);
        return below == 0 ? 0 : numbers(place, 4) / below;
    }
    std::uint64_t valueOf(std::uint32_t tag, std::uint32_t kind) const {
        std::uint64_t entry = at + 2;
        for (std::uint32_t left = numbers(at, 2); left > 0 && numbers(entry + 2, 2) != 0; --left) {
            if (numbers(entry, 2) == tag && numbers(entry + 2, 2) == kind) return entry + 8;
            entry += 12;
        }
        return UINT64_MAX;  // where there are zeros
    }
};

/// What the camera says itself, or from its lens and the size of its sensor.
std::optional<double> focal35Of(const TiffDirectory& camera) {
    constexpr std::array kMillimetres{25.4, 25.4, 25.4, 10.0, 1.0, 1e-3};  // by EXIF's units
    double focal = camera.whole(0xA405);
    if (focal == 0) {
        const double pixels = std::hypot(camera.whole(0xA002), camera.whole(0xA003));
        const std::size_t unit = std::min<std::size_t>(camera.whole(0xA210), 5);
        focal = camera.ratio(0x920A) * kFilmDiagonal * camera.ratio(0xA20E) /
                (pixels * kMillimetres[unit]);
    }
    return focal > 0 && std::isfinite(focal) ? std::optional(focal) : std::nullopt;
}

}  // namespace

Exif readExif(std::span<const std::byte> bytes) {
    if (asText(bytes).starts_with("Exif\0\0"sv)) bytes = bytes.subspan(6);
    const bool little = asText(bytes).starts_with("II*\0"sv);
    if (!little && !asText(bytes).starts_with("MM\0*"sv)) return {};
    const NumbersAt numbers(bytes, little);
    const TiffDirectory picture{numbers, numbers(4, 4)};
    Exif exif;
    const std::uint32_t orientation = picture.whole(0x0112);
    if (orientation >= 1 && orientation <= 8) exif.orientation = static_cast<int>(orientation);
    if (const std::uint32_t camera = picture.whole(0x8769); camera != 0)
        exif.focal35 = focal35Of({numbers, camera});
    constexpr double kShortest = 8;
    constexpr double kLongest = 1200;
    if (exif.focal35 && (*exif.focal35 < kShortest || *exif.focal35 > kLongest))
        exif.doubtedFocal35 = std::exchange(exif.focal35, std::nullopt);
    return exif;
}

std::string profileBesideSrgb(std::span<const std::byte> icc) {
    constexpr std::uint64_t kLongest = 60;
    const NumbersAt numbers(icc, false);
    std::uint64_t tag = 132;
    while (tag < icc.size() && numbers(tag, 4) != 0x64657363) tag += 12;  // desc
    const std::uint64_t at = numbers(tag + 4, 4);
    const bool wide = numbers(at, 4) == 0x6D6C7563;  // mluc, UTF-16, since version 4
    const unsigned width = wide ? 2 : 1;
    const std::uint64_t first = at + (wide ? numbers(at + 24, 4) : 12);
    const std::uint64_t length = numbers(at + (wide ? 20 : 8), 4) / width;
    std::string name;
    for (std::uint64_t i = 0; i < std::min(length, kLongest); ++i) {
        const std::uint32_t letter = numbers(first + i * width, width);
        if (letter < ' ') break;
        name += letter < 0x7F ? static_cast<char>(letter) : '?';
    }
    return name.find("sRGB") == std::string::npos ? name : std::string();
}

}  // namespace threefold
