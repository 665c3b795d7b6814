#include "tests/engine/board/scene.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/board_layout.h"
#include "engine/board/markers.h"

namespace threefold::test {
namespace {

using namespace board;
constexpr glm::dvec3 kRed(190, 40, 30);
constexpr double kPaperWidth = 210, kPaperHeight = 297;

// Maps each id of the printed board to the bits of the marker drawn at the position of this id.
using Print = std::map<int, MarkerBits>;

Print printOf(const MarkerFamily& family) {
    std::array<int, kMarkerCount> ids{};
    std::iota(ids.begin(), ids.end(), &family == &boardFamily() ? kFirstMarkerId : 0);
    const std::vector<MarkerBits> bits = markerBits(ids, family);
    Print print;
    for (int i = 0; i < kMarkerCount; ++i)
        print[kFirstMarkerId + i] = bits[static_cast<std::size_t>(i)];
    return print;
}

/// Colour of the table or the printed sheet at a point.
glm::dvec3 groundAt(glm::dvec2 point, const Print& print) {
    if (std::abs(point.x) > kPaperWidth / 2 || std::abs(point.y) > kPaperHeight / 2)
        return glm::dvec3(110, 105, 100);
    for (const auto& [id, bits] : print) {
        const glm::dvec2 off = point - *markerCentre(id) + kMarkerSide / 2;
        if (off.x < 0 || off.y < 0 || off.x >= kMarkerSide || off.y >= kMarkerSide) continue;
        const auto side = static_cast<double>(bits.size());
        const auto column = static_cast<std::size_t>(off.x / kMarkerSide * side);
        const auto row = static_cast<std::size_t>((kMarkerSide - off.y) / kMarkerSide * side);
        return glm::dvec3(bits[std::min(row, bits.size() - 1)][column] ? 25 : 230);
    }
    return glm::dvec3(230);
}

bool meetsBall(glm::dvec3 origin, glm::dvec3 ray) {
    const glm::dvec3 to = glm::dvec3(0, 0, BoardScene::kRadius) - origin;
    return glm::length(to - glm::dot(to, ray) * ray) < BoardScene::kRadius;
}

glm::dvec3 rayAt(const Pose& camera, glm::dvec2 pixel) {
    return glm::transpose(camera.rotation) * directionThrough(BoardScene::lens(), pixel).value();
}

template <class Colour>
Image drawn(const Colour& colour) {
    Image image{BoardScene::kWidth, BoardScene::kHeight, {}};
    image.rgba.reserve(static_cast<std::size_t>(4 * image.width * image.height));
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const glm::dvec3 mean = colour(glm::dvec2(x, y));
            for (int c = 0; c < 3; ++c)
                image.rgba.push_back(static_cast<std::uint8_t>(std::lround(mean[c])));
            image.rgba.push_back(255);
        }
    return image;
}

}  // namespace

std::vector<Pose> BoardScene::cameras(std::size_t count) {
    std::vector<Pose> made;
    for (std::size_t i = 0; i < count; ++i) {
        const double fraction = static_cast<double>(i) / static_cast<double>(count);
        const double azimuth = 2 * std::numbers::pi * fraction + 0.3;
        const double elevation = 0.45 + 0.25 * std::fmod(fraction * 3, 1.0);
        const glm::dvec3 out(std::cos(azimuth) * std::cos(elevation),
                             std::sin(azimuth) * std::cos(elevation), std::sin(elevation));
        Pose& camera = made.emplace_back();
        camera.centre = glm::dvec3(5, -8, 30) + out * (380 + 60 * fraction);
        const glm::dvec3 x = glm::normalize(glm::cross(glm::dvec3(0, 0, 1), out));
        camera.rotation = glm::transpose(glm::dmat3(x, glm::cross(out, x), out));
    }
    return made;
}

Lens BoardScene::lens() {
    Lens lens;
    lens.width = kWidth;
    lens.height = kHeight;
    lens.focalX = lens.focalY = 610;
    lens.principalX = 404;
    lens.principalY = 297;
    lens.k1 = 0.04;
    return lens;
}

glm::dvec2 BoardScene::pixelOf(const Pose& camera, glm::dvec3 point) {
    return *LensProjection(lens()).project(camera.toCamera(point));
}

Image BoardScene::photograph(const Pose& camera, bool ball, const MarkerFamily& family) {
    const Print print = printOf(family);
    return drawn([&](glm::dvec2 corner) {
        constexpr int kRays = 3;
        glm::dvec3 sum(0.0);
        for (int i = 0; i < kRays * kRays; ++i) {
            const glm::dvec2 within((i % kRays + 0.5) / kRays, (i / kRays + 0.5) / kRays);
            const glm::dvec3 ray = rayAt(camera, corner + within);
            const double along = -camera.centre.z / std::min(ray.z, -1e-6);
            sum += ball && meetsBall(camera.centre, ray)
                       ? kRed
                       : groundAt(glm::dvec2(camera.centre + along * ray), print);
        }
        return sum / static_cast<double>(kRays * kRays);
    });
}

Image BoardScene::mask(const Pose& camera) {
    return drawn([&](glm::dvec2 corner) {
        return glm::dvec3(meetsBall(camera.centre, rayAt(camera, corner + 0.5)) ? 255 : 0);
    });
}

}  // namespace threefold::test
