#pragma once

#include <vector>

#include <QImage>
#include <QPointF>
#include <QRect>

#include "engine/formats/pictures/image.h"
#include "engine/views/foreground.h"

namespace threefold::ui {

/// A mask that is corrected by strokes of a round brush, each of which can be taken back. Positions
/// and radii in pixels of the photograph.
class MaskBrush {
  public:
    MaskBrush() = default;
    explicit MaskBrush(const Mask& mask);

    bool isNull() const { return dimming_.isNull(); }
    /// To be drawn over the photograph: transparent where the object is, else dark. Alpha8.
    const QImage& dimming() const { return dimming_; }

    void beginStroke() { before_ = dimming_; }
    /// From one point to the next, to the object where `keep`, else to the background. Within a
    /// stroke.
    void paint(QPointF from, QPointF to, double radius, bool keep);
    void endStroke();
    /// Takes the last stroke back, if there is one.
    void undo();
    bool changed() const { return !strokes_.empty(); }

    /// White where the object is, else black.
    Image mask() const;

  private:
    struct Stroke {
        QRect place;
        QImage before;
    };

    QImage dimming_;
    QImage before_;  // of all, during a stroke
    QRect place_;
    std::vector<Stroke> strokes_;
};

}  // namespace threefold::ui
