#include "engine/views/rendering_metadata.h"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/bytes/text_scanner.h"

namespace threefold {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{16} << 20;

}  // namespace

std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject) {
    const PlainText plain(text);
    TextScanner scanner(plain.text(), subject);
    scanner.setComment('#');
    std::vector<CameraRow> rows;
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (!scanner.moreOnLine()) continue;
        std::array<double, 5> values{};
        std::size_t count = 0;
        for (; scanner.moreOnLine(); ++count) {
            const double value = scanner.real("a camera's value");
            if (count < values.size()) values[count] = value;
        }
        if (count != values.size())
            scanner.fail(
                fmt::format("{} numbers, five are expected: azimuth, elevation, in-plane "
                            "rotation, distance, field of view",
                            count));
        for (const double angle : {values[0], values[1]})
            if (std::abs(angle) > kMostRowDegrees)
                scanner.fail(fmt::format("an angle of {:g}°, expected degrees, at most {:g}", angle,
                                         kMostRowDegrees));
        if (!(values[3] >= kLeastRowDistance && values[3] <= kMostRowDistance))
            scanner.fail(
                fmt::format("a distance of {:g}, expected {:g} to {:g}; ShapeNet's cameras "
                            "stand at 0.65 to 0.98",
                            values[3], kLeastRowDistance, kMostRowDistance));
        rows.push_back({values[0], values[1], values[2], values[3], values[4]});
    }
    return rows;
}

std::vector<CameraRow> readRenderingMetadata(const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = readFile(file, kLargestFile);
    return parseRenderingMetadata(asText(bytes), file);
}

std::string formatRenderingMetadata(std::span<const CameraRow> rows) {
    std::string text;
    for (const CameraRow& row : rows)
        text += fmt::format("{} {} {} {} {}\n", row.azimuth, row.elevation, row.inPlane,
                            row.distance, row.fieldOfView);
    return text;
}

}  // namespace threefold
