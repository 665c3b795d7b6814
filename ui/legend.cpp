#include "ui/legend.h"

#include <algorithm>

#include <QPainter>
#include <QPainterPath>

#include "ui/number_format.h"
#include "ui/theme.h"

namespace threefold::ui {
namespace {

constexpr int kBarHeight = 10;
constexpr int kMargin = 8;
constexpr qreal kWidest = 440;

QLinearGradient gradientOf(render::ColourMap map, const QRectF& bar) {
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    constexpr int kStops = 64;
    for (int i = 0; i <= kStops; ++i) {
        const double t = static_cast<double>(i) / kStops;
        const glm::vec3 colour = render::colourAt(map, static_cast<float>(t));
        gradient.setColorAt(t, QColor::fromRgbF(colour.x, colour.y, colour.z));
    }
    return gradient;
}

}  // namespace

Legend::Legend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Legend::show(render::ColourMap map, float highest, const QString& otherwise) {
    map_ = map;
    highest_ = highest;
    otherwise_ = otherwise;
    const QString range =
        QStringLiteral("Distance to truth from 0 to %1 object units").arg(fixed(highest, 4));
    setAccessibleName(highest > 0 ? range : otherwise);
    setToolTip(highest > 0
                   ? QStringLiteral("Distance of each vertex to the nearest true point, not "
                                    "squared. One object unit is the diagonal of the object's "
                                    "bounding box ÷ 0.57. Both panes share the range; larger "
                                    "distances take the last colour.")
                   : QString());
    update();
}

QSize Legend::sizeHint() const {
    return {400, kMargin * 2 + kBarHeight + 6 + 2 * fontMetrics().height() + 2};
}

QSize Legend::minimumSizeHint() const {
    return {120, sizeHint().height()};
}

void Legend::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal barWidth = std::min<qreal>(kWidest, width() - 4 * kMargin);
    painter.setPen(colours.muted);
    if (highest_ <= 0) {
        painter.drawText(rect().adjusted(kMargin, 0, -kMargin, 0),
                         Qt::AlignCenter | Qt::TextWordWrap, otherwise_);
        return;
    }
    const QRectF bar((width() - barWidth) / 2, kMargin, barWidth, kBarHeight);
    QPainterPath shape;
    shape.addRoundedRect(bar, 2, 2);
    painter.fillPath(shape, gradientOf(map_, bar));

    painter.setFont(numberFont(font()));
    painter.setPen(colours.text);
    const QFontMetrics digits = painter.fontMetrics();
    const int most = std::clamp(static_cast<int>(barWidth / 56), 2, 6);
    const Ticks ticks = niceTicks(highest_, most);
    const qreal top = bar.bottom() + 2;
    for (const double value : ticks.values) {
        const qreal x = bar.left() + barWidth * value / highest_;
        painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, top + 3));
        const QString label = value == 0 ? QStringLiteral("0") : fixed(value, ticks.decimals);
        const qreal w = digits.horizontalAdvance(label) + 2;
        const qreal left = std::clamp(x - w / 2, bar.left() - kMargin,
                                      std::max(bar.left(), bar.right() + kMargin - w));
        painter.drawText(QRectF(left, top + 3, w, digits.height()), Qt::AlignCenter, label);
    }

    painter.setFont(font());
    painter.setPen(colours.muted);
    const QString unit = QStringLiteral("distance to truth (object units)");
    const QString caption = unit + QStringLiteral(" · shared range 0 – %1, 99th percentile of both")
                                       .arg(fixed(highest_, ticks.decimals + 1));
    const QRectF line(kMargin, top + 5 + digits.height(), width() - 2 * kMargin,
                      fontMetrics().height());
    const bool fits = fontMetrics().horizontalAdvance(caption) < line.width();
    painter.drawText(
        line, Qt::AlignCenter,
        fits ? caption
             : fontMetrics().elidedText(unit, Qt::ElideRight, static_cast<int>(line.width())));
}

}  // namespace threefold::ui
