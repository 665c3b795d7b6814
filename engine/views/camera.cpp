#include "engine/views/camera.h"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/bytes/text_scanner.h"

namespace threefold {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{16} << 20;

}  // namespace

Camera Camera::fromRow(const CameraRow& row) {
    constexpr double kRadians = std::numbers::pi / 180.0;
    const double azimuth = row.azimuth * kRadians;
    const double elevation = row.elevation * kRadians;
    const double height = row.distance * std::sin(elevation);
    const double horizontal = row.distance * std::cos(elevation);

    const glm::dvec3 z(horizontal * std::cos(azimuth), height, horizontal * std::sin(azimuth));
    const glm::dvec3 y(-height * std::cos(azimuth), horizontal, -height * std::sin(azimuth));
    const glm::dvec3 x = glm::cross(y, z);

    Camera camera;
    camera.rotation =
        glm::transpose(glm::dmat3(glm::normalize(x), glm::normalize(y), glm::normalize(z)));
    camera.centre = z;
    const bool isTrainedDistance =
        row.distance >= kMinTrainedDistance && row.distance <= kMaxTrainedDistance;
    if (!isTrainedDistance) camera.zoom = row.distance / kDefaultDistance;
    return camera;
}

glm::dvec3 Camera::toView(glm::dvec3 world) const {
    return rotation * (world - centre);
}

glm::dvec3 Camera::toWorld(glm::dvec3 view) const {
    return glm::transpose(rotation) * view + centre;
}

glm::dmat3 Camera::zoomedRotation() const {
    glm::dmat3 rows = rotation;
    for (int column = 0; column < 3; ++column) {
        rows[column].x *= zoom;
        rows[column].y *= zoom;
    }
    return rows;
}

glm::dvec2 projectToPixel(glm::dvec3 view) {
    return {-kFocalLength * view.x / view.z + kImageCentre,
            kFocalLength * view.y / view.z + kImageCentre};
}

glm::dvec3 transformBetweenViews(const Camera& from, const Camera& to, glm::dvec3 point) {
    return to.toView(from.toWorld(point));
}

std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Camera& from,
                                   const Camera& to) {
    const double scale = to.zoom * kFocalLength / kImageCentre;
    // Depth is −kNearPlane/w: exact except for the rounding of w, so that a small plane costs
    // nothing.
    std::vector<glm::vec4> clipPoints;
    clipPoints.reserve(points.size());
    for (const glm::vec3& point : points) {
        const glm::dvec3 view = transformBetweenViews(from, to, glm::dvec3(point));
        clipPoints.emplace_back(scale * view.x, -scale * view.y, -kNearPlane, -view.z);
    }
    return clipPoints;
}

std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject) {
    const PlainText plain(text);
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
