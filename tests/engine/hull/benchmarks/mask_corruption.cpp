#include "tests/engine/hull/benchmarks/mask_corruption.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace threefold {
namespace {

struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;
};

Box boxOf(const Mask& mask) {
    Box box{mask.width, mask.height, 0, 0};
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (mask.inside[static_cast<std::size_t>(y * mask.width + x)] != 0)
                box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1),
                       std::max(box.bottom, y + 1)};
    return box;
}

double uniform(std::mt19937& random, double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
}

/// Removes 10 to 30 % of the object on one side.
Mask withoutPart(const Mask& mask, std::mt19937& random) {
    const double angle = uniform(random, 0, 6.283);
    std::vector<double> heights;
    const auto height = [&](int x, int y) { return x * std::cos(angle) + y * std::sin(angle); };
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (mask.inside[static_cast<std::size_t>(y * mask.width + x)] != 0)
                heights.push_back(height(x, y));
    const auto rank =
        static_cast<std::ptrdiff_t>(uniform(random, 0.7, 0.9) * double(heights.size()));
    std::nth_element(heights.begin(), heights.begin() + rank, heights.end());
    Mask corrupted = mask;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (height(x, y) > heights[static_cast<std::size_t>(rank)])
                corrupted.inside[static_cast<std::size_t>(y * mask.width + x)] = 0;
    return corrupted;
}

/// Adds a rectangle of half the width and height of the object's bounding box, at a random position
/// where the rectangle overlaps the box.
Mask withBackground(const Mask& mask, std::mt19937& random) {
    const Box box = boxOf(mask);
    const int width = box.right - box.left;
    const int height = box.bottom - box.top;
    const int x0 = box.left + static_cast<int>(uniform(random, -0.3, 0.9) * width);
    const int y0 = box.top + static_cast<int>(uniform(random, -0.3, 0.9) * height);
    Mask corrupted = mask;
    for (int y = std::max(0, y0); y < std::min(mask.height, y0 + height / 2); ++y)
        for (int x = std::max(0, x0); x < std::min(mask.width, x0 + width / 2); ++x)
            corrupted.inside[static_cast<std::size_t>(y * mask.width + x)] = 1;
    return corrupted;
}

/// Moves the object by 8 to 20 % of the longer side of its bounding box.
Mask shifted(const Mask& mask, std::mt19937& random) {
    const Box box = boxOf(mask);
    const double angle = uniform(random, 0, 6.283);
    const double by =
        uniform(random, 0.08, 0.2) * std::max(box.right - box.left, box.bottom - box.top);
    const int dx = static_cast<int>(std::lround(by * std::cos(angle)));
    const int dy = static_cast<int>(std::lround(by * std::sin(angle)));
    Mask corrupted = mask;
    std::fill(corrupted.inside.begin(), corrupted.inside.end(), 0);
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            const int toX = x + dx, toY = y + dy;
            if (toX < 0 || toY < 0 || toX >= mask.width || toY >= mask.height) continue;
            corrupted.inside[static_cast<std::size_t>(toY * mask.width + toX)] =
                mask.inside[static_cast<std::size_t>(y * mask.width + x)];
        }
    return corrupted;
}

}  // namespace

Mask corrupt(MaskCorruption how, const Mask& mask, const Mask& other, std::mt19937& random) {
    switch (how) {
        case MaskCorruption::partLost:
            return withoutPart(mask, random);
        case MaskCorruption::backgroundIn:
            return withBackground(mask, random);
        case MaskCorruption::otherObject:
            return resized(other, mask.width, mask.height);
        case MaskCorruption::shifted:
            return shifted(mask, random);
        case MaskCorruption::empty:
            return {mask.width, mask.height, std::vector<std::uint8_t>(mask.inside.size())};
    }
    return mask;
}

void disturb(Camera& camera, Mask& mask, double pixels, std::mt19937& random) {
    std::normal_distribution<double> off(0, pixels / kFocalLength);
    const glm::dvec3 turn(off(random), off(random), off(random));
    camera.rotation =
        glm::dmat3(1, turn.z, -turn.y, -turn.z, 1, turn.x, turn.y, -turn.x, 1) * camera.rotation;
    const Mask before = mask;
    const double phase = uniform(random, 0, 6.283);
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            const double wave = pixels * std::sin(phase + 0.15 * x + 0.21 * y);
            const int fromX =
                std::clamp(x + static_cast<int>(std::lround(wave)), 0, mask.width - 1);
            const int fromY =
                std::clamp(y + static_cast<int>(std::lround(-wave)), 0, mask.height - 1);
            mask.inside[static_cast<std::size_t>(y * mask.width + x)] =
                before.inside[static_cast<std::size_t>(fromY * mask.width + fromX)];
        }
}

}  // namespace threefold
