#include "engine/board/object_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <glm/common.hpp>
#include <glm/matrix.hpp>

namespace threefold::board {
namespace {

constexpr int kGrid = 72;  // points a side of the box that is searched

/// One outline, ready to be asked.
class View {
  public:
    explicit View(const Outline& outline) : outline_(outline), projection_(outline.lens) {
        const Mask& mask = outline.mask;
        for (int y = 0; y < mask.height; ++y)
            for (int x = 0; x < mask.width; ++x)
                if (insideAt(x, y)) {
                    left_ = std::min(left_, x);
                    right_ = std::max(right_, x);
                    top_ = std::min(top_, y);
                    bottom_ = y;
                }
        isWhole_ = left_ > 0 && top_ > 0 && right_ < mask.width - 1 && bottom_ < mask.height - 1;
    }

    bool isEmpty() const { return right_ < 0; }

    /// Whether the point may be the object's; `pixel` becomes the mask's pixel, or -1.
    bool keeps(glm::dvec3 point, glm::ivec2& pixel) const {
        const Mask& mask = outline_.mask;
        pixel = glm::ivec2(-1);
        const auto at = projection_.pixelOf(outline_.camera.toView(point));
        if (!at || !outline_.lens.holds(*at)) return !isWhole_;
        const int x =
            std::min(static_cast<int>(at->x * mask.width / outline_.lens.width), mask.width - 1);
        const int y =
            std::min(static_cast<int>(at->y * mask.height / outline_.lens.height), mask.height - 1);
        if (insideAt(x, y)) pixel = {x, y};
        return insideAt(x, y);
    }

    /// The ray through the middle of the outline's rectangle.
    glm::dvec3 way() const {
        const glm::dvec2 middle(
            (left_ + right_ + 1) / 2.0 * outline_.lens.width / outline_.mask.width,
            (top_ + bottom_ + 1) / 2.0 * outline_.lens.height / outline_.mask.height);
        return glm::transpose(outline_.camera.rotation) * rayThrough(outline_.lens, middle);
    }

    /// Half the rectangle's diagonal at the point's distance.
    double reach(glm::dvec3 point) const {
        const double wide = static_cast<double>(right_ - left_ + 1) / outline_.mask.width *
                            outline_.lens.width / outline_.lens.focalX;
        const double high = static_cast<double>(bottom_ - top_ + 1) / outline_.mask.height *
                            outline_.lens.height / outline_.lens.focalY;
        return std::hypot(wide, high) / 2 * glm::length(point - outline_.camera.origin);
    }

    const Outline& outline() const { return outline_; }

  private:
    bool insideAt(int x, int y) const {
        return outline_.mask.inside[static_cast<std::size_t>(y) *
                                        static_cast<std::size_t>(outline_.mask.width) +
                                    static_cast<std::size_t>(x)] != 0;
    }

    const Outline& outline_;
    LensProjection projection_;
    int left_ = std::numeric_limits<int>::max(), right_ = -1, top_ = left_, bottom_ = -1;
    bool isWhole_ = false;
};

constexpr double kFar = std::numeric_limits<double>::infinity();

/// What the points that fall into a cell of a mask span.
struct Span {
    glm::dvec3 low{kFar};
    glm::dvec3 high{-kFar};

    void add(glm::dvec3 point) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
    bool isEmpty() const { return low.x > high.x; }
};

/// Calls `take(point, pixels)` for the points of a grid over the box that all views keep.
void visitHull(const std::vector<View>& views, const ObjectBox& box, const auto& take) {
    std::vector<glm::ivec2> pixels(views.size());
    const glm::dvec3 step = (box.high - box.low) / static_cast<double>(kGrid);
    for (int z = 0; z < kGrid; ++z)
        for (int y = 0; y < kGrid; ++y)
            for (int x = 0; x < kGrid; ++x) {
                const glm::dvec3 point = box.low + step * (glm::dvec3(x, y, z) + 0.5);
                bool kept = true;
                for (std::size_t i = 0; i < views.size() && kept; ++i)
                    kept = views[i].keeps(point, pixels[i]);
                if (kept) take(point, pixels);
            }
}

/// The grid's cell in the mask's pixels, about the hull's middle, times two: each ray through the
/// hull meets points.
int cellOf(const View& view, const ObjectBox& hull) {
    const double step =
        std::max({hull.high.x - hull.low.x, hull.high.y - hull.low.y, hull.high.z - hull.low.z}) /
        kGrid;
    const double distance = glm::length(hull.centre() - view.outline().camera.origin);
    const double pixels = step / distance * view.outline().lens.focalX * view.outline().mask.width /
                          view.outline().lens.width;
    return std::max(1, static_cast<int>(std::ceil(2 * pixels)));
}

}  // namespace

std::optional<ObjectBox> objectBox(const std::vector<Outline>& outlines, bool standing) {
    std::vector<View> views;
    views.reserve(outlines.size());
    for (const Outline& outline : outlines)
        if (View view(outline); !view.isEmpty()) views.push_back(view);
    if (views.size() < 2) return std::nullopt;

    // Nearest to all middles' rays.
    glm::dmat3 across(0.0);
    glm::dvec3 right(0.0);
    for (const View& view : views) {
        const glm::dvec3 way = view.way();
        const glm::dmat3 own = glm::dmat3(1.0) - glm::outerProduct(way, way);
        across += own;
        right += own * view.outline().camera.origin;
    }
    constexpr double kParallel = 1e-6;
    if (std::abs(glm::determinant(across)) < kParallel) return std::nullopt;
    const glm::dvec3 middle = glm::inverse(across) * right;
    double reach = 0;
    for (const View& view : views) reach = std::max(reach, view.reach(middle));

    // The whole hull is within; a second look is as fine as its own size allows.
    constexpr double kRoom = 1.6;
    ObjectBox box{middle - kRoom * reach, middle + kRoom * reach};
    if (standing) box.low.z = 0;
    Span hull;
    for (int look = 0; look < 2; ++look) {
        hull = {};
        visitHull(views, box, [&](glm::dvec3 point, const auto&) { hull.add(point); });
        if (hull.isEmpty()) return std::nullopt;
        const glm::dvec3 cell = (box.high - box.low) / static_cast<double>(kGrid);
        if (look == 0) box = {hull.low - 1.5 * cell, hull.high + 1.5 * cell};
        if (standing) box.low.z = 0;
    }
    const glm::dvec3 half = (box.high - box.low) / (2.0 * kGrid);

    // Each cell of a mask that is all object holds a point of it: at the latest its span's far end.
    Span least;
    std::vector<std::vector<Span>> cells(views.size());
    std::vector<int> sizes;
    std::vector<int> columns;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Mask& mask = views[i].outline().mask;
        sizes.push_back(cellOf(views[i], {hull.low, hull.high}));
        columns.push_back(mask.width / sizes[i] + 1);
        cells[i].resize(static_cast<std::size_t>(columns[i] * (mask.height / sizes[i] + 1)));
    }
    visitHull(views, box, [&](glm::dvec3 point, const std::vector<glm::ivec2>& pixels) {
        for (std::size_t i = 0; i < views.size(); ++i)
            if (pixels[i].x >= 0)
                cells[i][static_cast<std::size_t>(pixels[i].y / sizes[i] * columns[i] +
                                                  pixels[i].x / sizes[i])]
                    .add(point);
    });
    for (const std::vector<Span>& ofView : cells)
        for (const Span& span : ofView)
            if (!span.isEmpty()) {
                least.low = glm::min(least.low, span.high);
                least.high = glm::max(least.high, span.low);
            }
    constexpr double kTowardsHull = 0.5;
    ObjectBox made{glm::mix(least.low, hull.low - half, kTowardsHull),
                   glm::mix(least.high, hull.high + half, kTowardsHull)};
    if (standing) made.low.z = 0;
    return made;
}

}  // namespace threefold::board
