#include "engine/formats/pictures/exif.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

using namespace std::string_view_literals;

/// Directory of a TIFF file. Links to other directories are not followed, so that a file cannot
/// cause an endless loop.
struct TiffDirectory {
    const EndianReader& numbers;
    std::uint64_t offset;

    /// First value of an entry; 0 if there is no such entry, or its type is neither 3 (16 bits) nor
    /// 4 (32 bits).
    std::uint32_t integer(std::uint32_t tag) const {
        return std::max(numbers.read(valueOffset(tag, 3), 2), numbers.read(valueOffset(tag, 4), 4));
    }
    double ratio(std::uint32_t tag) const {
        const std::uint64_t value = numbers.read(valueOffset(tag, 5), 4);
        if (value == 0) return 0;  // no such entry
        const double denominator = numbers.read(value + 4, 4);
        return denominator == 0 ? 0 : numbers.read(value, 4) / denominator;
    }
    std::uint64_t valueOffset(std::uint32_t tag, std::uint32_t type) const {
        std::uint64_t entry = offset + 2;
        for (std::uint32_t remaining = numbers.read(offset, 2);
             remaining > 0 && numbers.read(entry + 2, 2) != 0; --remaining) {
            if (numbers.read(entry, 2) == tag && numbers.read(entry + 2, 2) == type)
                return entry + 8;
            entry += 12;
        }
        return UINT64_MAX;  // beyond the end: reads as 0
    }
};

/// Focal length (35 mm equivalent) that the camera states; else computed from the focal length of
/// its lens and the size of its sensor.
std::optional<double> focalLength35mmOf(const TiffDirectory& camera) {
    constexpr std::array kMillimetres{25.4, 25.4, 25.4, 10.0, 1.0, 1e-3};  // by EXIF's units
    double focal = camera.integer(0xA405);
    if (focal == 0) {
        const double pixels = std::hypot(camera.integer(0xA002), camera.integer(0xA003));
        const std::size_t unit = std::min<std::size_t>(camera.integer(0xA210), 5);
        focal = camera.ratio(0x920A) * kFilmDiagonal * camera.ratio(0xA20E) /
                (pixels * kMillimetres[unit]);
    }
    return focal > 0 && std::isfinite(focal) ? std::optional(focal) : std::nullopt;
}

}  // namespace

double focalLengthPixels(ImageSize size, std::optional<double> focalLength35mm) {
    constexpr double kDefault = 26;  // mm
    return focalLength35mm.value_or(kDefault) * std::hypot(size.width, size.height) / kFilmDiagonal;
}

Exif readExif(std::span<const std::byte> bytes) {
    if (asText(bytes).starts_with("Exif\0\0"sv)) bytes = bytes.subspan(6);
    const bool little = asText(bytes).starts_with("II*\0"sv);
    if (!little && !asText(bytes).starts_with("MM\0*"sv)) return {};
    const EndianReader numbers(bytes, little ? std::endian::little : std::endian::big);
    const TiffDirectory picture{numbers, numbers.read(4, 4)};
    Exif exif;
    const std::uint32_t orientation = picture.integer(0x0112);
    if (orientation >= 1 && orientation <= 8) exif.orientation = static_cast<int>(orientation);
    if (const std::uint32_t camera = picture.integer(0x8769); camera != 0)
        exif.focalLength35mm = focalLength35mmOf({numbers, camera});
    constexpr double kMinFocalLength35mm = 8;
    constexpr double kMaxFocalLength35mm = 1200;
    if (exif.focalLength35mm && (*exif.focalLength35mm < kMinFocalLength35mm ||
                                 *exif.focalLength35mm > kMaxFocalLength35mm))
        exif.implausibleFocalLength35mm = std::exchange(exif.focalLength35mm, std::nullopt);
    return exif;
}

}  // namespace threefold
