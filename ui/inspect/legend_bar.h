#pragma once

#include <array>

#include <QColor>
#include <QLinearGradient>

#include "ui/inspect/value_range_controls.h"

namespace threefold::ui {

/// Colour of a map at `position` (0…1).
QColor colourOf(render::ColourMap map, double position);
/// Gradient with a map's colours from x = `from` to `to`.
QLinearGradient gradientOf(render::ColourMap map, qreal from, qreal to);

/// A colour bar with the histogram above it and the scale below it. The histogram is filled; of two
/// meshes, the first is an outline and the second is filled. The ends of the range have movable
/// handles.
class LegendBar : public QWidget {
    Q_OBJECT

  public:
    /// Colours and values to show.
    struct Content {
        render::ColourScale colours;
        QuantityInfo info;
        std::shared_ptr<const std::vector<float>> outline;  ///< values, ascending; or null
        std::shared_ptr<const std::vector<float>> filled;
    };

    explicit LegendBar(QWidget* parent = nullptr);
    void setContent(const Content& content);

    /// Axis of the bar: wider than the range, to leave room for the handles.
    const render::ColourScale& axis() const { return axis_; }
    ValueRangeHandle& lowHandle() { return *handles_[0]; }
    ValueRangeHandle& highHandle() { return *handles_[1]; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

  Q_SIGNALS:
    void rangeRequested(threefold::ui::ValueRange range);
    void resetRequested();
    void typingRequested(threefold::ui::RangeEnd end);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fitAxis();
    void placeHandles();
    void move(std::size_t handle, float value);
    QRectF barRect() const;
    qreal xOf(float value) const;
    QPolygonF outlineOf(const std::vector<float>& heights, const QRectF& area) const;
    void paintScale(QPainter& painter) const;
    void paintTick(QPainter& painter, qreal x, const QString& label, qreal& labelEnd) const;

    Content content_;
    render::ColourScale axis_;
    std::array<ValueRangeHandle*, 2> handles_;
};

}  // namespace threefold::ui
