#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace threefold::test {

/// `value` as `width` bytes, little or big endian.
inline std::string numberBytes(std::uint64_t value, int width, bool little) {
    std::string bytes;
    for (int i = 0; i < width; ++i)
        bytes += static_cast<char>(value >> 8 * (little ? i : width - 1 - i) & 0xff);
    return bytes;
}

/// Entry of an EXIF directory: the integer `value`, or the ratio `value` / `below` if `below` > 0.
struct ExifEntry {
    int tag = 0;
    std::uint32_t value = 0;
    std::uint32_t below = 0;
};

/// An EXIF block with the orientation in IFD 0 and the `camera` entries in the Exif IFD.
inline std::string exifBytes(int orientation, const std::vector<ExifEntry>& camera = {},
                             bool little = false) {
    const auto number = [&](std::uint64_t value, int width) {
        return numberBytes(value, width, little);
    };
    constexpr std::uint32_t kCamera = 8 + 2 + 2 * 12 + 4;
    std::string bytes = (little ? "II" : "MM") + number(42, 2) + number(8, 4);
    bytes += number(2, 2);
    bytes += number(0x0112, 2) + number(3, 2) + number(1, 4) +
             number(static_cast<std::uint64_t>(orientation), 2) + number(0, 2);
    bytes += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(kCamera, 4);
    bytes += number(0, 4);
    std::string entries = number(camera.size(), 2);
    std::string ratios;
    const std::uint64_t behind = kCamera + 2 + camera.size() * 12 + 4;
    for (const auto& [tag, value, below] : camera) {
        const bool ratio = below != 0;
        entries += number(static_cast<std::uint64_t>(tag), 2) + number(ratio ? 5 : 4, 2) +
                   number(1, 4) + number(ratio ? behind + ratios.size() : value, 4);
        if (ratio) ratios += number(value, 4) + number(below, 4);
    }
    return bytes + entries + number(0, 4) + ratios;
}

/// Inserts a segment of marker `kind` after a JPEG's SOI marker.
inline std::string withSegment(std::string jpeg, int kind, const std::string& content) {
    return jpeg.insert(2, "\xff" + numberBytes(static_cast<std::uint64_t>(kind), 1, false) +
                              numberBytes(content.size() + 2, 2, false) + content);
}
inline std::string jpegWithExif(std::string_view jpeg, const std::string& exif) {
    return withSegment(std::string(jpeg), 0xE1, std::string("Exif\0\0", 6) + exif);
}

/// Inserts an eXIf chunk after a PNG's IHDR chunk. The new chunk's checksum is not valid.
inline std::string pngWithExif(std::string png, const std::string& exif) {
    constexpr std::size_t kFirstEnd = 8 + 25;
    return png.insert(kFirstEnd,
                      numberBytes(exif.size(), 4, false) + "eXIf" + exif + std::string(4, '\0'));
}

/// Appends an EXIF chunk to a WebP file.
inline std::string webpWithExif(std::string webp, const std::string& exif) {
    webp += "EXIF" + numberBytes(exif.size(), 4, true) + exif + std::string(exif.size() % 2, '\0');
    return webp.replace(4, 4, numberBytes(webp.size() - 8, 4, true));
}

/// An ICC profile that has only a description: as `desc` (version 2), or as `mluc` (version 4) if
/// `wide`.
inline std::string iccProfile(const std::string& name, bool wide) {
    std::string description = (wide ? "mluc" : "desc") + std::string(4, '\0');
    if (wide) {
        description += numberBytes(1, 4, false) + numberBytes(12, 4, false) + "enUS" +
                       numberBytes(2 * name.size(), 4, false) + numberBytes(28, 4, false);
        for (const char letter : name) description += std::string(1, '\0') + letter;
    } else {
        description += numberBytes(name.size() + 1, 4, false) + name + '\0';
    }
    return std::string(128, '\0') + numberBytes(1, 4, false) + "desc" + numberBytes(144, 4, false) +
           numberBytes(description.size(), 4, false) + description;
}

}  // namespace threefold::test
