#include "render/decoration_painter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace threefold::render {
namespace {

// Logical pixels.
constexpr float kFromCorner = 38.0F, kArm = 20.0F, kLetterAway = 28.0F, kHalfWidth = 1.1F;
constexpr float kLetterHalf = 3.2F;
// About as far from a white background as from a black one.
constexpr std::array kColours{glm::vec3(0.85F, 0.26F, 0.23F), glm::vec3(0.16F, 0.57F, 0.28F),
                              glm::vec3(0.25F, 0.50F, 0.91F)};

struct Stroke {
    glm::vec2 from, to;  // letters: −1…1, y down
};

std::vector<Stroke> letterOf(int axis) {
    switch (axis) {
        case 0:
            return {{{-1, -1}, {1, 1}}, {{-1, 1}, {1, -1}}};
        case 1:
            return {{{-1, -1}, {0, 0}}, {{1, -1}, {-1, 1}}};
        default:
            return {{{-1, -1}, {1, -1}}, {{1, -1}, {-1, 1}}, {{-1, 1}, {1, 1}}};
    }
}

shared::DecorationConstants shapeOf(Stroke stroke, glm::vec3 colour, float ratio) {
    const glm::vec2 along = stroke.to - stroke.from;
    const float half = kHalfWidth * ratio;
    shared::DecorationConstants shape{};
    shape.middle = 0.5F * (stroke.from + stroke.to);
    shape.halfSize = {0.5F * glm::length(along) + half, half};
    shape.corner = half;
    shape.colour = glm::vec4(colour, 1.0F);
    shape.outlineWidth = ratio;
    shape.turned = std::atan2(along.y, along.x);
    return shape;
}

}  // namespace

std::vector<shared::DecorationConstants> axesOf(const OrbitCamera& camera, const PaneRect& pane,
                                                float ratio) {
    const glm::mat3 turn(camera.viewMatrix());
    std::array order{0, 1, 2};
    // The view looks along −z.
    std::ranges::sort(order, {}, [&](int axis) { return turn[axis].z; });
    const glm::vec2 middle(static_cast<float>(pane.x) + kFromCorner * ratio,
                           static_cast<float>(pane.y + pane.height) - kFromCorner * ratio);
    std::vector<shared::DecorationConstants> shapes;
    for (const int axis : order) {
        const glm::vec3 colour = kColours[static_cast<std::size_t>(axis)];
        const glm::vec2 along = ratio * glm::vec2(turn[axis].x, -turn[axis].y);
        shapes.push_back(shapeOf({middle, middle + kArm * along}, colour, ratio));
        const glm::vec2 letter = middle + kLetterAway * along;
        for (const Stroke stroke : letterOf(axis)) {
            const float half = kLetterHalf * ratio;
            shapes.push_back(
                shapeOf({letter + half * stroke.from, letter + half * stroke.to}, colour, ratio));
        }
    }
    return shapes;
}

}  // namespace threefold::render
