#include "tests/engine/turntable/scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold::test {

std::vector<TurntableScene::Ball> TurntableScene::figure() {
    return {{{0.02, 0.03, 0.1}, 0.1}, {{0.13, 0.01, 0.05}, 0.05}, {{-0.02, 0.06, 0.25}, 0.06}};
}

std::vector<TurntableScene::Ball> TurntableScene::vase() {
    return {{{0, 0, 0.1}, 0.1}, {{0, 0, 0.22}, 0.06}};
}

std::vector<PosedMask> TurntableScene::outlines(std::span<const Ball> balls,
                                                std::span<const double> azimuths) {
    std::vector<PosedMask> made;
    for (const double azimuth : azimuths) {
        const double angle = azimuth * std::numbers::pi / 180;
        const glm::dvec3 out(std::cos(angle), std::sin(angle), 0);
        const glm::dvec3 right(-out.y, out.x, 0);
        const glm::dvec3 back = out * std::cos(kTilt) + glm::dvec3(0, 0, std::sin(kTilt));
        PosedMask& outline = made.emplace_back();
        outline.pose.centre = out + glm::dvec3(0, 0, 0.6);
        outline.pose.rotation = glm::transpose(glm::dmat3(right, glm::cross(back, right), back));
        Lens& lens = outline.lens;
        lens.width = kWidth;
        lens.height = kHeight;
        lens.focalX = lens.focalY = kFocal;
        lens.principalX = kWidth / 2.0;
        lens.principalY = kHeight / 2.0;
        outline.mask = {kWidth, kHeight, {}};
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const glm::dvec3 ray = glm::transpose(outline.pose.rotation) *
                                       directionThrough(lens, glm::dvec2(x, y) + 0.5).value();
                const bool meets = std::ranges::any_of(balls, [&](const Ball& ball) {
                    const glm::dvec3 to = ball.centre - outline.pose.centre;
                    return glm::length(to - ray * glm::dot(to, ray)) < ball.radius;
                });
                outline.mask.inside.push_back(meets ? 1 : 0);
            }
    }
    return made;
}

std::vector<double> TurntableScene::azimuths(std::size_t count, double step) {
    std::vector<double> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(static_cast<double>(i) * step);
    return made;
}

}  // namespace threefold::test
