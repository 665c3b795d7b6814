#include "engine/silhouettes/silhouette_query.h"

#include <algorithm>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold {
namespace {

bool isInside(const Mask& mask, int x, int y) {
    return mask.inside[static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width) +
                       static_cast<std::size_t>(x)] != 0;
}

}  // namespace

SilhouetteQuery::SilhouetteQuery(const PosedMask& silhouette)
    : silhouette_(silhouette), projection_(silhouette.lens) {
    const Mask& mask = silhouette.mask;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            if (!isInside(mask, x, y)) continue;
            left_ = std::min(left_, x);
            right_ = std::max(right_, x);
            top_ = std::min(top_, y);
            bottom_ = y;
        }
    isClearOfBorder_ = silhouette.isClearOfBorder.value_or(
        left_ > 0 && top_ > 0 && right_ < mask.width - 1 && bottom_ < mask.height - 1);
}

std::vector<glm::ivec2> SilhouetteQuery::outlinePixels() const {
    const Mask& mask = silhouette_.mask;
    const Mask inner = eroded(mask);
    std::vector<glm::ivec2> outline;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (isInside(mask, x, y) && !isInside(inner, x, y)) outline.emplace_back(x, y);
    return outline;
}

bool SilhouetteQuery::mayContain(glm::dvec3 point) const {
    if (isEmpty()) return true;
    const Mask& mask = silhouette_.mask;
    const auto pixel = projection_.project(silhouette_.pose.toCamera(point));
    if (!pixel || !silhouette_.lens.contains(*pixel)) return !isClearOfBorder_;
    const int x = static_cast<int>(pixel->x * mask.width / silhouette_.lens.width);
    const int y = static_cast<int>(pixel->y * mask.height / silhouette_.lens.height);
    return isInside(mask, std::min(x, mask.width - 1), std::min(y, mask.height - 1));
}

Ray SilhouetteQuery::rayAt(glm::dvec2 pixel) const {
    const auto& [pose, lens, mask, isClearOfBorder] = silhouette_;
    const glm::dvec2 scale(static_cast<double>(lens.width) / mask.width,
                           static_cast<double>(lens.height) / mask.height);
    const glm::dvec2 centre(lens.principalX, lens.principalY);
    glm::dvec2 offset = pixel * scale - centre;
    std::optional<glm::dvec3> direction = directionThrough(lens, centre + offset);
    // A distortion fitted to the centre of a picture may be undefined at its corners: moves towards
    // the principal point until a ray leads to the pixel.
    constexpr int kMaxSteps = 200;
    constexpr double kStepFactor = 0.95;
    for (int step = 0; !direction; ++step) {
        offset = step < kMaxSteps ? kStepFactor * offset : glm::dvec2(0);
        direction = directionThrough(lens, centre + offset);
    }
    return {pose.centre, glm::transpose(pose.rotation) * *direction};
}

Ray SilhouetteQuery::centreRay() const {
    return rayAt(glm::dvec2(left_ + right_ + 1, top_ + bottom_ + 1) / 2.0);
}

double SilhouetteQuery::radiusAt(glm::dvec3 point) const {
    return glm::length(rayAt({left_, top_}).direction -
                       rayAt({right_ + 1, bottom_ + 1}).direction) /
           2 * glm::length(point - centre());
}

std::vector<SilhouetteQuery> silhouetteQueries(std::span<const PosedMask> silhouettes) {
    std::vector<SilhouetteQuery> views;
    views.reserve(silhouettes.size());
    for (const PosedMask& silhouette : silhouettes)
        if (const SilhouetteQuery view(silhouette); !view.isEmpty()) views.push_back(view);
    return views;
}

}  // namespace threefold
