#include "ui/inspect/threshold_plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "engine/text.h"
#include "ui/style/number_format.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr int kPlotHeight = 88, kPlotHeightPerName = 24;  // added for each curve beyond three
constexpr int kPlotTop = 4;

QPen penOf(MeshId id, const ThemeColours& colours) {
    QPen pen(id.isOpened()                  ? colours.text
             : id == MeshId::firstPublished ? colours.accent
             : id == MeshId::result         ? colours.resultAccent
                                            : colours.good,
             1.75);
    if (id == MeshId::hull) pen.setDashPattern({2.5, 1.5});
    if (id.isOpened()) pen.setDashPattern({3.0 * id.number - 1.5, 1.5});
    return pen;
}

}  // namespace

ThresholdPlot::ThresholdPlot(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setToolTip(
        tr("F-score in percent over the threshold on the squared distance, object units². "
           "The dashed line is τ"));
}

void ThresholdPlot::setCurves(std::vector<ThresholdCurve> curves) {
    curves_ = std::move(curves);
    thresholds_.clear();
    if (!curves_.empty())
        for (const FScore& score : curves_.front().scores) thresholds_.push_back(score.threshold);
    std::erase_if(curves_, [&](const ThresholdCurve& curve) {
        return curve.scores.size() != thresholds_.size();
    });
    updateGeometry();
    readAt(hasFocus() && !empty() ? std::optional(nearestTo(kTau)) : std::nullopt);
}

int ThresholdPlot::plotHeight() const {
    return kPlotHeight + kPlotHeightPerName * std::max(0, static_cast<int>(curves_.size()) - 3);
}

QString ThresholdPlot::readout() const {
    if (!readIndex_) return {};
    QString text = tr("threshold %1").arg(shortScientific(thresholds_[*readIndex_]));
    for (const ThresholdCurve& curve : curves_) {
        constexpr int kMaxNameLength = 12;
        QString name = curve.name;
        if (name.size() > kMaxNameLength) name = name.left(kMaxNameLength - 1) + QChar(0x2026);
        text += tr(" · %1 %2").arg(name, fixedText(curve.scores[*readIndex_].fScore, 1));
    }
    return text + QStringLiteral(" %");
}

QSize ThresholdPlot::sizeHint() const {
    return {240, kPlotTop + plotHeight() + 4 + fontMetrics().height()};
}

QRectF ThresholdPlot::plotArea() const {
    const int numbers =
        QFontMetrics(numberFont(font())).horizontalAdvance(QStringLiteral("100")) + 4;
    constexpr int kNameGap = 6;
    return {numbers + 0.5, kPlotTop + 0.5, width() - numbers - namesWidth() - kNameGap - 1.0,
            plotHeight() - 1.0};
}

QPointF ThresholdPlot::positionOf(const FScore& score) const {
    const QRectF area = plotArea();
    const double maxThreshold = thresholds_.back();
    return {area.left() + area.width() * score.threshold / maxThreshold,
            area.bottom() - area.height() * score.fScore / 100};
}

std::size_t ThresholdPlot::nearestTo(double threshold) const {
    const double step = thresholds_.back() / static_cast<double>(thresholds_.size() - 1);
    const double index = std::round(threshold / step);
    return static_cast<std::size_t>(
        std::clamp(index, 0.0, static_cast<double>(thresholds_.size() - 1)));
}

void ThresholdPlot::readAt(std::optional<std::size_t> index) {
    readIndex_ = index;
    setAccessibleName(tr("F over threshold"));
    setAccessibleDescription(readout());
    update();
}

void ThresholdPlot::paintEvent(QPaintEvent*) {
    if (empty()) return;
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGrid(painter, colours);
    paintCurves(painter, colours);
    paintNames(painter, colours);
    painter.setFont(numberFont(font()));
    paintAxes(painter, colours);
    if (readIndex_) paintReadout(painter, colours);
}

void ThresholdPlot::paintGrid(QPainter& painter, const ThemeColours& colours) const {
    const QRectF area = plotArea();
    painter.setPen(QPen(hasFocus() ? colours.accent : colours.border, 1));
    for (const double fraction : {0.0, 0.5, 1.0}) {
        const qreal y = std::round(area.top() + area.height() * fraction) + 0.5;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    const qreal tau = positionOf({kTau, 0, 0, 0}).x();
    QPen dashed(colours.muted, 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(QPointF(tau, area.top()), QPointF(tau, area.bottom()));
}

void ThresholdPlot::paintCurves(QPainter& painter, const ThemeColours& colours) const {
    for (const ThresholdCurve& curve : curves_) {
        QPolygonF line;
        for (const FScore& score : curve.scores) line << positionOf(score);
        painter.setPen(penOf(curve.id, colours));
        painter.drawPolyline(line);
    }
}

int ThresholdPlot::namesWidth() const {
    int widest = 0;
    for (const ThresholdCurve& curve : curves_)
        widest = std::max(widest, fontMetrics().horizontalAdvance(curve.name));
    return std::min(widest + 2, width() / 4);
}

QString ThresholdPlot::shownName(const ThresholdCurve& curve) const {
    return fontMetrics().elidedText(curve.name, Qt::ElideMiddle, namesWidth());
}

// Paints each name beside the end of its curve, moved as far as the other names need.
void ThresholdPlot::paintNames(QPainter& painter, const ThemeColours& colours) const {
    const QRectF area = plotArea();
    const int height = fontMetrics().height();
    std::vector<std::pair<qreal, const ThresholdCurve*>> names;  // top of the name, curve
    for (const ThresholdCurve& curve : curves_)
        names.emplace_back(positionOf(curve.scores.back()).y() - height / 2.0, &curve);
    std::ranges::stable_sort(names, {}, [](const auto& name) { return name.first; });
    qreal free = 0;  // the names above end here
    for (auto& [top, curve] : names) {
        top = std::max(top, free);
        free = top + height;
    }
    qreal limit = area.bottom() + 1;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        name->first = std::min(name->first, limit - height);
        limit = name->first;
    }
    for (const auto& [top, curve] : names) {
        painter.setPen(penOf(curve->id, colours).color());
        painter.drawText(QPointF(area.right() + 6, top + fontMetrics().ascent()),
                         shownName(*curve));
    }
}

// Paints the numbers beside the plot and, unless a threshold is being read, the numbers below it.
void ThresholdPlot::paintAxes(QPainter& painter, const ThemeColours& colours) const {
    const QRectF area = plotArea();
    const int height = painter.fontMetrics().height();
    painter.setPen(colours.muted);
    for (const int percent : {0, 100}) {
        const qreal y = std::clamp(area.bottom() - area.height() * percent / 100 - height / 2.0,
                                   0.0, area.bottom() - height);
        painter.drawText(QRectF(0, y, area.left() - 4, height), Qt::AlignRight,
                         QString::number(percent));
    }
    if (readIndex_) return;
    const QRectF below = lineBelow(height);
    const qreal tau = positionOf({kTau, 0, 0, 0}).x();
    painter.drawText(QRectF(area.left(), below.top(), 40, height), Qt::AlignLeft,
                     QStringLiteral("0"));
    painter.drawText(QRectF(area.right() - 40, below.top(), 40, height), Qt::AlignRight,
                     QStringLiteral("3 τ"));
    painter.drawText(QRectF(tau - 40, below.top(), 80, below.height()), Qt::AlignHCenter,
                     QStringLiteral("τ"));
}

// Paints a line at the threshold that is being read, the curves' points on this line, and the
// curves' values there.
void ThresholdPlot::paintReadout(QPainter& painter, const ThemeColours& colours) const {
    const QRectF area = plotArea();
    const QPointF at = positionOf(curves_.front().scores[*readIndex_]);
    painter.setPen(QPen(colours.text, 1));
    painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
    painter.setPen(Qt::NoPen);
    for (const ThresholdCurve& curve : curves_) {
        painter.setBrush(penOf(curve.id, colours).color());
        painter.drawEllipse(positionOf(curve.scores[*readIndex_]), 3, 3);
    }
    painter.setPen(colours.text);
    painter.drawText(lineBelow(painter.fontMetrics().height()), Qt::AlignLeft,
                     painter.fontMetrics().elidedText(readout(), Qt::ElideRight, width()));
}

QRectF ThresholdPlot::lineBelow(int height) const {
    return {0, static_cast<qreal>(kPlotTop + plotHeight() + 4), static_cast<qreal>(width()),
            static_cast<qreal>(height)};
}

std::string ThresholdPlot::csv() const {
    std::string text = "squared distance";
    for (const ThresholdCurve& curve : curves_) text += ',' + csvField(curve.name.toStdString());
    for (std::size_t i = 0; i < thresholds_.size() && !empty(); ++i) {
        text += fmt::format("\n{:.9g}", thresholds_[i]);
        for (const ThresholdCurve& curve : curves_)
            text += fmt::format(",{:.6f}", curve.scores[i].fScore);
    }
    return text + '\n';
}

void ThresholdPlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = transientMenu(this);
    menu->addAction(tr("Copy the curves as CSV"), this, [this] {
        QGuiApplication::clipboard()->setText(QString::fromStdString(csv()));
    });
    menu->popup(event->globalPos());
}

void ThresholdPlot::mouseMoveEvent(QMouseEvent* event) {
    if (empty()) return;
    const QRectF area = plotArea();
    const double fraction = (event->position().x() - area.left()) / area.width();
    readAt(nearestTo(fraction * thresholds_.back()));
}

void ThresholdPlot::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    if (empty() || (!left && event->key() != Qt::Key_Right)) return QWidget::keyPressEvent(event);
    const std::size_t index = readIndex_.value_or(nearestTo(kTau));
    readAt(left ? index - std::min<std::size_t>(index, 1)
                : std::min(index + 1, thresholds_.size() - 1));
}

bool ThresholdPlot::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::FocusIn && !empty()) readAt(nearestTo(kTau));
    if (event->type() == QEvent::FocusOut || event->type() == QEvent::Leave) readAt(std::nullopt);
    return handled;
}

}  // namespace threefold::ui
