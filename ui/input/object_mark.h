#pragma once

#include <filesystem>
#include <optional>

#include <QPointF>
#include <QRectF>
#include <QSize>

#include "engine/masks/propagate_object.h"

namespace threefold::ui {

/// Mark of the object in one photograph, in pixels of the photograph: (0, 0) is its upper left
/// corner.
struct ObjectMark {
    QRectF box;  ///< around the object; without extent: a point on the object

    bool isBox() const { return !box.isEmpty(); }
};

/// Mark that a drag of the pointer makes, in pixels of the photograph: a box with the drag's ends
/// as opposite corners, cut off at the photograph's borders; or the point `from`, if the drag is
/// shorter than `maxClick` in both directions. None for a point outside the photograph, and for a
/// box of less than a pixel in either direction.
std::optional<ObjectMark> markOfDrag(QPointF from, QPointF to, QSize photograph, double maxClick);

/// Converts a mark in this photograph to a hint for cutting out the object.
ObjectHint hintOf(const ObjectMark& mark, const std::filesystem::path& photograph);

}  // namespace threefold::ui
