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

constexpr int kHistogramHeight = 28;
constexpr int kBarHeight = 10;
constexpr int kTopMargin = 8;
constexpr int kSideMargin = 16;
constexpr qreal kMaxBarWidth = 520;
constexpr qreal kTickLength = 4;
constexpr qreal kBinWidth = 3;

// Extends the axis to nearly all values; it leaves out outliers, which would compress the rest.
void include(const std::shared_ptr<const std::vector<float>>& sorted, float& low, float& high) {
    if (!sorted || sorted->empty()) return;
    const std::vector<float>* const list[] = {sorted.get()};
    low = std::min(low, quantileOfSorted(list, 0.002));
    high = std::max(high, quantileOfSorted(list, 0.998));
}

}  // namespace

QColor colourOf(render::ColourMap map, double position) {
    const glm::vec3 colour = render::colourAt(map, static_cast<float>(position));
    return QColor::fromRgbF(colour.x, colour.y, colour.z);
}

QLinearGradient gradientOf(render::ColourMap map, qreal from, qreal to) {
    QLinearGradient gradient(from, 0, std::max(to, from + 1e-3), 0);
    constexpr int kStops = 64;
    for (int i = 0; i <= kStops; ++i) {
        const double position = static_cast<double>(i) / kStops;
        gradient.setColorAt(position, colourOf(map, position));
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
            const double position = std::clamp((x - bar.left()) / bar.width(), 0.0, 1.0);
            move(i, valueAtScalePosition(static_cast<float>(position), axis_));
        });
        connect(handle, &ValueRangeHandle::stepped, this, [this, i](double step) {
            const ValueRange range{content_.colours.min, content_.colours.max};
            const float end = scalePosition(i == 0 ? range.min : range.max, axis_);
            move(i, valueAtScalePosition(end + static_cast<float>(step), axis_));
        });
        connect(handle, &ValueRangeHandle::released, this, [this] {
            fitAxis();
            placeHandles();
            update();
        });
        connect(handle, &ValueRangeHandle::resetRequested, this, &LegendBar::resetRequested);
        connect(handle, &ValueRangeHandle::typingRequested, this,
                [this, i] { Q_EMIT typingRequested(i == 0 ? RangeEnd::low : RangeEnd::high); });
    }
}

void LegendBar::setContent(const Content& content) {
    content_ = content;
    // Keeps the axis while a handle is dragged.
    if (!handles_[0]->dragging() && !handles_[1]->dragging()) fitAxis();
    placeHandles();
    const QString ends[] = {tr("Lowest value of the colours"), tr("Highest value of the colours")};
    const float values[] = {content.colours.min, content.colours.max};
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
    float low = axis_.min;
    float high = axis_.max;
    include(content_.outline, low, high);
    include(content_.filled, low, high);
    const bool logarithmic = axis_.scale == render::ValueScale::logarithmic;
    if (logarithmic) low = std::max(low, axis_.min / 10);
    // On a linear scale, high values leave the range about a third of the bar or more.
    const float maxHigh = axis_.min + 3 * (axis_.max - axis_.min);
    if (!logarithmic && !content_.info.diverging) high = std::min(high, maxHigh);
    if (content_.info.diverging) {
        high = std::min(std::max(-low, high), 3 * axis_.max);
        low = -high;
    }
    axis_.min = low;
    axis_.max = high;
    constexpr float kAxisMargin = 0.04F;
    const float end = valueAtScalePosition(1 + kAxisMargin, axis_);
    const float begin = valueAtScalePosition(-kAxisMargin, axis_);
    const bool fromZero = content_.info.fromZero && !logarithmic && low >= 0;
    axis_.min = fromZero ? low : begin;
    axis_.max = end;
}

void LegendBar::move(std::size_t handle, float value) {
    ValueRange range{content_.colours.min, content_.colours.max};
    if (content_.info.diverging) {
        const float halfRange = std::max(std::abs(value), 0.005F * axis_.max);
        range = {-halfRange, halfRange};
    } else {
        // Keeps the ends at least a hundredth of the bar apart.
        const float other = scalePosition(handle == 0 ? range.max : range.min, axis_);
        const float position = scalePosition(value, axis_);
        constexpr float kMinFraction = 0.01F;
        if (handle == 0) {
            range.min = valueAtScalePosition(std::min(position, other - kMinFraction), axis_);
            if (content_.info.fromZero) range.min = std::max(range.min, 0.0F);
        } else {
            range.max = valueAtScalePosition(std::max(position, other + kMinFraction), axis_);
        }
    }
    Q_EMIT rangeRequested(range);
}

QSize LegendBar::sizeHint() const {
    return {400, kTopMargin + kHistogramHeight + kBarHeight + static_cast<int>(kTickLength) + 2 +
                     QFontMetrics(numberFont(font())).height()};
}

QRectF LegendBar::barRect() const {
    const qreal wide = std::min<qreal>(kMaxBarWidth, width() - 2 * kSideMargin);
    return {std::round((width() - wide) / 2), kTopMargin + kHistogramHeight, wide, kBarHeight};
}

qreal LegendBar::xOf(float value) const {
    const QRectF bar = barRect();
    const double position = static_cast<double>(scalePosition(value, axis_));
    return bar.left() + bar.width() * std::clamp(position, 0.0, 1.0);
}

void LegendBar::placeHandles() {
    const float values[] = {content_.colours.min, content_.colours.max};
    for (std::size_t i = 0; i < handles_.size(); ++i) {
        const int left = qRound(xOf(values[i]) - ValueRangeHandle::kWidth / 2.0);
        handles_[i]->setGeometry(left, kTopMargin, ValueRangeHandle::kWidth,
                                 kHistogramHeight + kBarHeight);
    }
}

void LegendBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeHandles();
}

QPolygonF LegendBar::outlineOf(const std::vector<float>& heights, const QRectF& area) const {
    QPolygonF line;
    line << area.bottomLeft();
    const qreal step = area.width() / static_cast<qreal>(std::max<std::size_t>(heights.size(), 1));
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const qreal y = area.bottom() - area.height() * static_cast<qreal>(heights[i]);
        const qreal x = area.left() + step * static_cast<qreal>(i);
        line << QPointF(x, y) << QPointF(x + step, y);
    }
    line << area.bottomRight();
    return line;
}

void LegendBar::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar = barRect();
    const QRectF area(bar.left(), kTopMargin + 2, bar.width(), kHistogramHeight - 3);
    const auto bins = static_cast<std::size_t>(std::max(1.0, area.width() / kBinWidth));
    if (content_.filled) {
        QColor fill = colours.accent;
        fill.setAlphaF(0.55F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(outlineOf(histogram(*content_.filled, axis_, bins), area));
    }
    if (content_.outline) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colours.muted, 1));
        painter.drawPolyline(outlineOf(histogram(*content_.outline, axis_, bins), area));
    }

    const qreal from = xOf(content_.colours.min);
    const qreal to = xOf(content_.colours.max);
    QPainterPath shape;
    shape.addRoundedRect(bar, 2, 2);
    painter.setClipPath(shape);
    painter.fillRect(bar, gradientOf(content_.colours.map, from, to));
    // Values beyond an end have the end's colour; a veil marks where the range ends.
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
    const int maxTicks = std::clamp(static_cast<int>(bar.width() / 64), 2, 8);
    qreal labelEnd = -std::numeric_limits<qreal>::infinity();  // right end of the last label
    if (axis_.scale == render::ValueScale::logarithmic) {
        for (const double value : logarithmicTicks(axis_.min, axis_.max, maxTicks))
            paintTick(painter, xOf(static_cast<float>(value)), shortNumber(value), labelEnd);
        return;
    }
    const Ticks ticks = niceTicks(axis_.min, axis_.max, maxTicks);
    for (const double value : ticks.values) {
        const bool zero = std::abs(value) < 1e-9 * static_cast<double>(axis_.max);
        paintTick(painter, xOf(static_cast<float>(value)),
                  zero ? QStringLiteral("0") : fixedText(value, ticks.decimals), labelEnd);
    }
}

void LegendBar::paintTick(QPainter& painter, qreal x, const QString& label, qreal& labelEnd) const {
    const QRectF bar = barRect();
    painter.drawLine(QPointF(x, bar.bottom() + 1), QPointF(x, bar.bottom() + kTickLength));
    const QFontMetrics metrics = painter.fontMetrics();
    const qreal labelWidth = metrics.horizontalAdvance(label) + 2;
    const qreal left = std::clamp(x - labelWidth / 2, 0.0, std::max(0.0, width() - labelWidth));
    constexpr qreal kGap = 6;
    if (left < labelEnd + kGap) return;
    labelEnd = left + labelWidth;
    painter.drawText(QRectF(left, bar.bottom() + kTickLength + 2, labelWidth, metrics.height()),
                     Qt::AlignCenter, label);
}

}  // namespace threefold::ui
