#pragma once

#include <vector>

#include <QImage>
#include <QPointF>
#include <QRect>

#include "engine/formats/pictures/image.h"
#include "engine/views/mask.h"

namespace threefold::ui {

/// Content that a stroke of the brush paints.
enum class BrushPaint { object, background };

/// Mask edited by strokes of a round brush, with undo of each stroke. Positions and radii in pixels
/// of the photograph.
class MaskBrush {
  public:
    MaskBrush() = default;
    explicit MaskBrush(const Mask& mask);

    bool isNull() const { return dimming_.isNull(); }
    /// Overlay for the photograph: transparent on the object, dark elsewhere. Alpha8.
    const QImage& dimming() const { return dimming_; }

    void beginStroke() { before_ = dimming_; }
    /// Paints from one point to the next. Call within a stroke.
    void paint(QPointF from, QPointF to, double radius, BrushPaint paint);
    void endStroke();
    /// Undoes the last stroke, if there is one.
    void undo();
    /// Replaces the whole mask by one of the same size from the mask's file, as a stroke that
    /// undo() undoes. Not within a stroke.
    void replace(const MaskBrush& other);
    bool changed() const { return !strokes_.empty(); }
    /// Whether the mask differs from the one of the last setSaved(), or else of the beginning.
    bool isUnsaved() const { return dimming_ != saved_; }
    /// Records that the mask `written` is in the mask's file.
    void setSaved(const MaskBrush& written) { saved_ = written.dimming_; }
    /// Restores the saved mask, without undo. Not within a stroke.
    void discardChanges();

    /// The mask as an image: white on the object, black elsewhere.
    Image mask() const;

  private:
    struct Stroke {
        QRect rect;
        QImage before;
    };

    QImage dimming_;
    QImage saved_;   // the overlay of the mask's file
    QImage before_;  // the whole overlay before the present stroke; null: there is none
    QRect strokeRect_;
    std::vector<Stroke> strokes_;
};

}  // namespace threefold::ui
