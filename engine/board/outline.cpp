#include "engine/board/outline.h"

#include <algorithm>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold::board {

OutlineView::OutlineView(const Outline& outline) : outline_(outline), projection_(outline.lens) {
    const Mask& mask = outline.mask;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            if (!holds(mask.inside, x, y)) continue;
            left_ = std::min(left_, x);
            right_ = std::max(right_, x);
            top_ = std::min(top_, y);
            bottom_ = y;
        }
    const std::vector<std::uint8_t> narrow = narrowed(mask.inside);
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (holds(mask.inside, x, y) && !holds(narrow, x, y)) rim_.emplace_back(x, y);
    isWhole_ = left_ > 0 && top_ > 0 && right_ < mask.width - 1 && bottom_ < mask.height - 1;
}

bool OutlineView::keeps(glm::dvec3 point) const {
    const Mask& mask = outline_.mask;
    const auto at = projection_.pixelOf(outline_.camera.toView(point));
    if (!at || !outline_.lens.holds(*at)) return !isWhole_;
    const int x = static_cast<int>(at->x * mask.width / outline_.lens.width);
    const int y = static_cast<int>(at->y * mask.height / outline_.lens.height);
    return holds(mask.inside, std::min(x, mask.width - 1), std::min(y, mask.height - 1));
}

glm::dvec3 OutlineView::wayThrough(glm::dvec2 pixel) const {
    const glm::dvec2 scale(static_cast<double>(outline_.lens.width) / outline_.mask.width,
                           static_cast<double>(outline_.lens.height) / outline_.mask.height);
    return glm::transpose(outline_.camera.rotation) * rayThrough(outline_.lens, pixel * scale);
}

glm::dvec3 OutlineView::middleWay() const {
    return wayThrough(glm::dvec2(left_ + right_ + 1, top_ + bottom_ + 1) / 2.0);
}

double OutlineView::reach(glm::dvec3 point) const {
    return glm::length(wayThrough({left_, top_}) - wayThrough({right_ + 1, bottom_ + 1})) / 2 *
           glm::length(point - origin());
}

/// Without the pixels that have a neighbour outside.
std::vector<std::uint8_t> OutlineView::narrowed(const std::vector<std::uint8_t>& inside) const {
    const int width = outline_.mask.width, height = outline_.mask.height;
    std::vector<std::uint8_t> narrow = inside;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int v = std::max(0, y - 1); v <= std::min(y + 1, height - 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(x + 1, width - 1); ++u)
                    if (!holds(inside, u, v)) narrow[indexOf(x, y)] = 0;
    return narrow;
}

}  // namespace threefold::board
