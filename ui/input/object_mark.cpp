#include "ui/input/object_mark.h"

#include <algorithm>
#include <cmath>

namespace threefold::ui {

std::optional<ObjectMark> markOfDrag(QPointF from, QPointF to, QSize photograph, double maxClick) {
    constexpr double kMinSide = 1;
    const QRectF whole({0, 0}, QSizeF(photograph));
    const QPointF step = to - from;
    if (std::max(std::abs(step.x()), std::abs(step.y())) < maxClick)
        return whole.contains(from) ? std::optional(ObjectMark{QRectF(from, QSizeF(0, 0))})
                                    : std::nullopt;
    const QRectF box = QRectF(from, to).normalized() & whole;
    if (box.width() < kMinSide || box.height() < kMinSide) return std::nullopt;
    return ObjectMark{box};
}

ObjectHint hintOf(const ObjectMark& mark, const std::filesystem::path& photograph) {
    const QPointF centre = mark.box.center();
    ObjectHint hint{photograph, {centre.x(), centre.y()}, {}};
    if (mark.isBox()) hint.extent = {mark.box.width(), mark.box.height()};
    return hint;
}

}  // namespace threefold::ui
