#include "ui/inspect/legend_bar.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QPainter>
#include <QPainterPath>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kHistogram = 28;
constexpr int kBarHeight = 10;
constexpr int kTop = 8;
constexpr int kSide = 16;
constexpr qreal kWidest = 520;
constexpr qreal kTick = 4;
constexpr qreal kBinWidth = 3;

// Nearly all values: outliers must not compress the rest.
void include(const std::shared_ptr<const std::vector<float>>& sorted, float& low, float& high) {
    if (!sorted || sorted->empty()) return;
    const std::vector<float>* const list[] = {sorted.get()};
    low = std::min(low, percentileOf(list, 0.002));
    high = std::max(high, percentileOf(list, 0.998));
}

}  // namespace

QColor colourOf(render::ColourMap map, double share) {
    const glm::vec3 colour = render::colourAt(map, static_cast<float>(share));
    return QColor::fromRgbF(colour.x, colour.y, colour.z);
}

QLinearGradient gradientOf(render::ColourMap map, qreal from, qreal to) {
    QLinearGradient gradient(from, 0, std::max(to, from + 1e-3), 0);
    constexpr int kStops = 64;
    for (int i = 0; i <= kStops; ++i) {
        const double share = static_cast<double>(i) / kStops;
        gradient.setColorAt(share, colourOf(map, share));
    }
    return gradient;
}

LegendBar::LegendBar(QWidget* parent)
    : QWidget(parent), handles_{new ValueRangeHandle(this), new ValueRangeHandle(this)} {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (std::size_t i = 0; i < handles_.size(); ++i) {
        ValueRangeHandle* handle = handles_[i];
        connect(handle, &ValueRangeHandle::draggedTo, this, [this, i](qreal x) {
            const QRectF bar = barRect();
            const double share = std::clamp((x - bar.left()) / bar.width(), 0.0, 1.0);
            move(i, valueAt(static_cast<float>(share), axis_));
        });
        connect(handle, &ValueRangeHandle::stepped, this, [this, i](double share) {
            const ValueRange range{content_.colours.lowest, content_.colours.highest};
            const float at = shareOf(i == 0 ? range.lowest : range.highest, axis_);
            move(i, valueAt(at + static_cast<float>(share), axis_));
        });
        connect(handle, &ValueRangeHandle::released, this, [this] {
            fitAxis();
            placeHandles();
            update();
        });
        connect(handle, &ValueRangeHandle::resetWanted, this, &LegendBar::resetWanted);
        connect(handle, &ValueRangeHandle::typingWanted, this,
                [this, i] { Q_EMIT typingWanted(i == 0); });
    }
}

void LegendBar::setContent(const Content& content) {
    content_ = content;
    // The scale does not move while a handle is dragged.
    if (!handles_[0]->dragging() && !handles_[1]->dragging()) fitAxis();
    placeHandles();
    const QString ends[] = {tr("Lowest value of the colours"), tr("Highest value of the colours")};
    const float values[] = {content.colours.lowest, content.colours.highest};
    for (std::size_t i = 0; i < handles_.size(); ++i) {
        const QString text =
            ends[i] + QStringLiteral(": ") + shortNumber(values[i]) + ' ' + content.info.unit;
        handles_[i]->setAccessibleName(text.trimmed());
        handles_[i]->setToolTip(
            text.trimmed() + '\n' +
            tr("Drag, or arrow keys (with Shift ten steps); Enter types a value; double click or "
               "Delete goes back to the percentiles"));
    }
    update();
}

void LegendBar::fitAxis() {
    axis_ = content_.colours;
    float low = axis_.lowest;
    float high = axis_.highest;
    include(content_.outline, low, high);
    include(content_.filled, low, high);
    const bool logarithmic = axis_.scale == render::ValueScale::logarithmic;
    if (logarithmic) low = std::max(low, axis_.lowest / 10);
    // The range keeps at least a third of the bar.
    const float most = axis_.lowest + 3 * (axis_.highest - axis_.lowest);
    if (!logarithmic && !content_.info.diverging) high = std::min(high, most);
    if (content_.info.diverging) {
        high = std::min(std::max(-low, high), 3 * axis_.highest);
        low = -high;
    }
    axis_.lowest = low;
    axis_.highest = high;
    constexpr float kRoom = 0.04F;
    const float end = valueAt(1 + kRoom, axis_);
    const float begin = valueAt(-kRoom, axis_);
    const bool fromZero = content_.info.fromZero && !logarithmic && low >= 0;
    axis_.lowest = fromZero ? low : begin;
    axis_.highest = end;
}

void LegendBar::move(std::size_t handle, float value) {
    ValueRange range{content_.colours.lowest, content_.colours.highest};
    if (content_.info.diverging) {
        const float most = std::max(std::abs(value), 0.005F * axis_.highest);
        range = {-most, most};
    } else {
        // At least a hundredth of the bar stays between the two.
        const float other = shareOf(handle == 0 ? range.highest : range.lowest, axis_);
        const float share = shareOf(value, axis_);
        constexpr float kLeast = 0.01F;
        if (handle == 0) {
            range.lowest = valueAt(std::min(share, other - kLeast), axis_);
            if (content_.info.fromZero) range.lowest = std::max(range.lowest, 0.0F);
        } else {
            range.highest = valueAt(std::max(share, other + kLeast), axis_);
        }
    }
    Q_EMIT rangeWanted(range);
}

QSize LegendBar::sizeHint() const {
    return {400, kTop + kHistogram + kBarHeight + static_cast<int>(kTick) + 2 +
                     QFontMetrics(numberFont(font())).height()};
}

QRectF LegendBar::barRect() const {
    const qreal wide = std::min<qreal>(kWidest, width() - 2 * kSide);
    return {std::round((width() - wide) / 2), kTop + kHistogram, wide, kBarHeight};
}

qreal LegendBar::xOf(float value) const {
    const QRectF bar = barRect();
    const double share = static_cast<double>(shareOf(value, axis_));
    return bar.left() + bar.width() * std::clamp(share, 0.0, 1.0);
}

void LegendBar::placeHandles() {
    const float values[] = {content_.colours.lowest, content_.colours.highest};
    for (std::size_t i = 0; i < handles_.size(); ++i) {
        const int left = qRound(xOf(values[i]) - ValueRangeHandle::kWidth / 2.0);
        handles_[i]->setGeometry(left, kTop, ValueRangeHandle::kWidth, kHistogram + kBarHeight);
    }
}

void LegendBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeHandles();
}

QPolygonF LegendBar::outlineOf(const std::vector<float>& heights, const QRectF& room) const {
    QPolygonF line;
    line << room.bottomLeft();
    const qreal step = room.width() / static_cast<qreal>(std::max<std::size_t>(heights.size(), 1));
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const qreal y = room.bottom() - room.height() * static_cast<qreal>(heights[i]);
        const qreal x = room.left() + step * static_cast<qreal>(i);
        line << QPointF(x, y) << QPointF(x + step, y);
    }
    line << room.bottomRight();
    return line;
}

void LegendBar::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar = barRect();
    const QRectF room(bar.left(), kTop + 2, bar.width(), kHistogram - 3);
    const auto bins = static_cast<std::size_t>(std::max(1.0, room.width() / kBinWidth));
    if (content_.filled) {
        QColor fill = colours.accent;
        fill.setAlphaF(0.55F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(outlineOf(histogram(*content_.filled, axis_, bins), room));
    }
    if (content_.outline) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colours.muted, 1));
        painter.drawPolyline(outlineOf(histogram(*content_.outline, axis_, bins), room));
    }

    const qreal from = xOf(content_.colours.lowest);
    const qreal to = xOf(content_.colours.highest);
    QPainterPath shape;
    shape.addRoundedRect(bar, 2, 2);
    painter.setClipPath(shape);
    painter.fillRect(bar, gradientOf(content_.colours.map, from, to));
    // Values beyond an end take its colour; a veil shows where the range ends.
    QColor veil = colours.viewport;
    veil.setAlphaF(0.55F);
    painter.fillRect(QRectF(bar.topLeft(), QPointF(from, bar.bottom())), veil);
    painter.fillRect(QRectF(QPointF(to, bar.top()), bar.bottomRight()), veil);
    painter.setClipping(false);
    paintScale(painter);
}

void LegendBar::paintScale(QPainter& painter) const {
    const ThemeColours colours = themeColours(palette());
    const QRectF bar = barRect();
    painter.setFont(numberFont(font()));
    painter.setPen(colours.text);
    const int most = std::clamp(static_cast<int>(bar.width() / 64), 2, 8);
    qreal free = -std::numeric_limits<qreal>::infinity();  // right of the last label
    if (axis_.scale == render::ValueScale::logarithmic) {
        for (const double value : logarithmicTicks(axis_.lowest, axis_.highest, most))
            paintTick(painter, xOf(static_cast<float>(value)), shortNumber(value), free);
        return;
    }
    const Ticks ticks = niceTicks(axis_.lowest, axis_.highest, most);
    for (const double value : ticks.values) {
        const bool zero = std::abs(value) < 1e-9 * static_cast<double>(axis_.highest);
        paintTick(painter, xOf(static_cast<float>(value)),
                  zero ? QStringLiteral("0") : fixed(value, ticks.decimals), free);
    }
}

void LegendBar::paintTick(QPainter& painter, qreal x, const QString& label, qreal& free) const {
    const QRectF bar = barRect();
    painter.drawLine(QPointF(x, bar.bottom() + 1), QPointF(x, bar.bottom() + kTick));
    const QFontMetrics metrics = painter.fontMetrics();
    const qreal wide = metrics.horizontalAdvance(label) + 2;
    const qreal left = std::clamp(x - wide / 2, 0.0, std::max(0.0, width() - wide));
    constexpr qreal kGap = 6;
    if (left < free + kGap) return;
    free = left + wide;
    painter.drawText(QRectF(left, bar.bottom() + kTick + 2, wide, metrics.height()),
                     Qt::AlignCenter, label);
}

}  // namespace threefold::ui
