#include "engine/views/camera_row.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/formats/text/text_scanner.h"

namespace threefold {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{16} << 20;

}  // namespace

std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject) {
    const Utf8Text plain(text);
    // Some scripts print their rows as Python lists or tuples.
    std::string bare(plain.text());
    for (char& c : bare)
        if (std::string_view("[](),").find(c) != std::string_view::npos) c = ' ';
    TextScanner scanner(bare, subject);
    scanner.setComment('#');
    std::vector<CameraRow> rows;
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (!scanner.hasWord()) continue;
        std::array<double, 5> values{};
        std::size_t count = 0;
        for (; scanner.hasWord(); ++count) {
            const double value = scanner.requireDouble("a camera's value");
            if (count < values.size()) values[count] = value;
        }
        if (count != values.size())
            scanner.fail(
                fmt::format("{} numbers, five are expected: azimuth, elevation, in-plane "
                            "rotation, distance, field of view",
                            count));
        for (const double angle : {values[0], values[1]})
            if (std::abs(angle) > kMaxRowDegrees)
                scanner.fail(fmt::format("an angle of {:g}°, expected degrees, at most {:g}", angle,
                                         kMaxRowDegrees));
        if (!(values[3] >= kMinRowDistance && values[3] <= kMaxRowDistance))
            scanner.fail(
                fmt::format("a distance of {:g}, expected {:g} to {:g}; ShapeNet's cameras "
                            "stand at 0.65 to 0.98",
                            values[3], kMinRowDistance, kMaxRowDistance));
        rows.push_back({values[0], values[1], values[2], values[3], values[4]});
    }
    return rows;
}

std::vector<CameraRow> readRenderingMetadata(const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = readFile(file, kMaxFileBytes);
    return parseRenderingMetadata(asText(bytes), file);
}

std::string formatRenderingMetadata(std::span<const CameraRow> rows) {
    std::string text;
    for (const CameraRow& row : rows)
        text += fmt::format("{} {} {} {} {}\n", row.azimuth, row.elevation, row.inPlaneRotation,
                            row.distance, row.fieldOfView);
    return text;
}

}  // namespace threefold
