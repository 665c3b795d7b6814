#include "ui/input/mask_brush.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include <QPainter>
#include <QPen>

namespace threefold::ui {
namespace {

constexpr int kDimAlpha = 170;

}  // namespace

MaskBrush::MaskBrush(const Mask& mask) : dimming_(mask.width, mask.height, QImage::Format_Alpha8) {
    for (int y = 0; y < mask.height; ++y) {
        uchar* row = dimming_.scanLine(y);
        for (int x = 0; x < mask.width; ++x)
            row[x] = mask.inside[static_cast<std::size_t>(y) * mask.width + x] != 0 ? 0 : kDimAlpha;
    }
    saved_ = dimming_;
}

void MaskBrush::paint(QPointF from, QPointF to, double radius, BrushPaint paint) {
    QPainter painter(&dimming_);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.setPen(QPen(QColor(0, 0, 0, paint == BrushPaint::object ? 0 : kDimAlpha), 2 * radius,
                        Qt::SolidLine, Qt::RoundCap));
    // Qt draws no cap for a line of zero length.
    painter.drawLine(from, to == from ? to + QPointF(0.01, 0) : to);
    const int margin = static_cast<int>(std::ceil(radius)) + 2;
    strokeRect_ |=
        QRectF(from, to).normalized().toAlignedRect().adjusted(-margin, -margin, margin, margin);
}

void MaskBrush::endStroke() {
    const QRect rect = std::exchange(strokeRect_, {}) & dimming_.rect();
    if (!rect.isEmpty()) strokes_.push_back({rect, before_.copy(rect)});
    before_ = {};
}

void MaskBrush::undo() {
    if (strokes_.empty()) return;
    QPainter painter(&dimming_);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.drawImage(strokes_.back().rect.topLeft(), strokes_.back().before);
    strokes_.pop_back();
}

void MaskBrush::replace(const MaskBrush& other) {
    beginStroke();
    dimming_ = other.dimming_;
    strokeRect_ = dimming_.rect();
    endStroke();
    saved_ = dimming_;
}

void MaskBrush::discardChanges() {
    dimming_ = saved_;
    strokes_.clear();
}

Image MaskBrush::mask() const {
    Image image{dimming_.width(), dimming_.height(), {}};
    image.rgba.reserve(4 * static_cast<std::size_t>(image.width) * image.height);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const std::uint8_t white = dimming_.constScanLine(y)[x] == 0 ? 255 : 0;
            image.rgba.insert(image.rgba.end(), {white, white, white, 255});
        }
    return image;
}

}  // namespace threefold::ui
