#include "tests/engine/sample/posed_photos/scene.h"

#include <cmath>
#include <fstream>
#include <numbers>

#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold::test {
namespace {

using nlohmann::json;

json rowsOf(const glm::dmat3& turn, glm::dvec3 last) {
    json rows = json::array();
    for (int row = 0; row < 3; ++row)
        rows.push_back({turn[0][row], turn[1][row], turn[2][row], last[row]});
    rows.push_back({0, 0, 0, 1});
    return rows;
}

/// Rotation from the other world to a camera with OpenGL's axes.
glm::dmat3 turnOf(const CameraRow& row, const OtherWorld& world) {
    return Camera::fromRow(row).rotation * glm::transpose(world.rotation);
}

}  // namespace

glm::dmat3 turnAbout(glm::dvec3 axis, double radians) {
    axis = glm::normalize(axis);
    const glm::dmat3 skew(glm::dvec3(0, axis.z, -axis.y), glm::dvec3(-axis.z, 0, axis.x),
                          glm::dvec3(axis.y, -axis.x, 0));
    return glm::dmat3(1.0) + std::sin(radians) * skew + (1 - std::cos(radians)) * (skew * skew);
}

OtherWorld someWorld() {
    return {turnAbout({1, 2, -0.5}, 1.1), 3.7, {12.5, -4, 0.75}};
}

Sample bundled(const std::string& category) {
    return findSample(std::filesystem::path(THREEFOLD_RESOURCES) / "samples/ShapeNetRendering" /
                      category / "p0001");
}

Pinhole shapeNetPinhole(int side) {
    const double focal = kFocalLength * side / kInputSide;
    return {side, side, focal, focal, side / 2.0, side / 2.0};
}

Image seenBy(const Image& image, const Pinhole& pinhole, double roll) {
    const Pinhole from = shapeNetPinhole(image.width);
    Image made{pinhole.width, pinhole.height, {}};
    for (int y = 0; y < pinhole.height; ++y) {
        for (int x = 0; x < pinhole.width; ++x) {
            const glm::dvec3 ray((x + 0.5 - pinhole.principalX) / pinhole.focalX,
                                 -(y + 0.5 - pinhole.principalY) / pinhole.focalY, -1);
            const glm::dvec3 turned = turnAbout({0, 0, 1}, roll) * ray;
            const double u = from.focalX * turned.x + from.principalX - 0.5;
            const double v = from.principalY - from.focalY * turned.y - 0.5;
            glm::dvec3 colour(0.0);
            bool any = false;
            for (int dy = 0; dy < 2; ++dy) {
                for (int dx = 0; dx < 2; ++dx) {
                    const int column = static_cast<int>(std::floor(u)) + dx;
                    const int row = static_cast<int>(std::floor(v)) + dy;
                    const double weight = (1 - std::abs(u - column)) * (1 - std::abs(v - row));
                    const bool inside =
                        column >= 0 && row >= 0 && column < image.width && row < image.height;
                    const std::uint8_t* pixel =
                        inside
                            ? image.rgba.data() + 4 * (static_cast<std::size_t>(row) *
                                                           static_cast<std::size_t>(image.width) +
                                                       static_cast<std::size_t>(column))
                            : nullptr;
                    const bool there = inside && pixel[3] != 0;
                    any = any || (there && weight > 0);
                    for (int c = 0; c < 3; ++c) colour[c] += weight * (there ? pixel[c] : 255);
                }
            }
            for (int c = 0; c < 3; ++c)
                made.rgba.push_back(static_cast<std::uint8_t>(std::lround(colour[c])));
            made.rgba.push_back(any ? 255 : 0);
        }
    }
    return made;
}

json openGlMatrix(const CameraRow& row, const OtherWorld& world, double roll) {
    // A ray r of a camera rolled by `roll` is turnAbout(z, roll) · r in the camera without roll.
    const glm::dmat3 toWorld = glm::transpose(turnOf(row, world)) * turnAbout({0, 0, 1}, roll);
    return rowsOf(toWorld, world.of(Camera::fromRow(row).centre));
}

json openCvMatrix(const CameraRow& row, const OtherWorld& world) {
    const glm::dmat3 flip(glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1));
    const glm::dmat3 toCamera = flip * turnOf(row, world);
    return rowsOf(toCamera, -(toCamera * world.of(Camera::fromRow(row).centre)));
}

void writeJson(const std::filesystem::path& file, const json& document) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << document.dump(1);
}

json writeDiscScene(const std::filesystem::path& folder, int views) {
    constexpr int kSide = 100;
    constexpr double kFocal = 120;
    constexpr double kDistance = 2;
    constexpr double kRadius = 0.35;
    Image disc{kSide, kSide, {}};
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            const double away = std::hypot(x + 0.5 - kSide / 2.0, y + 0.5 - kSide / 2.0);
            const std::uint8_t grey = away < kRadius / kDistance * kFocal ? 90 : 255;
            disc.rgba.insert(disc.rgba.end(), {grey, grey, grey, 255});
        }
    }
    std::filesystem::create_directories(folder / "images");
    json scene = {{"fl_x", kFocal}, {"w", kSide}, {"h", kSide}, {"frames", json::array()}};
    const OtherWorld zUp{turnAbout({1, 0, 0}, std::numbers::pi / 2), 1, {}};
    for (int view = 0; view < views; ++view) {
        const CameraRow row{view * 360.0 / views + 10, 25, 0, kDistance, 25};
        const std::string name = fmt::format("images/{}.png", view);
        writePng(folder / name, disc);
        scene["frames"].push_back(
            {{"file_path", name}, {"transform_matrix", openGlMatrix(row, zUp)}});
    }
    writeJson(folder / "transforms.json", scene);
    return scene;
}

}  // namespace threefold::test
