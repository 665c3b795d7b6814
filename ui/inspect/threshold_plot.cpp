#include "ui/inspect/threshold_plot.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kPlot = 88;
constexpr int kTop = 4;

}  // namespace

ThresholdPlot::ThresholdPlot(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setToolTip(
        tr("F-score in percent over the threshold on the squared distance, object units². "
           "Grey coarse, blue refined, green fitted; the dashed line is τ"));
}

void ThresholdPlot::show(const std::vector<FScore>& coarse, const std::vector<FScore>& refined,
                         const std::vector<FScore>& fitted) {
    coarse_ = coarse;
    refined_ = refined;
    fitted_ = fitted;
    read(hasFocus() && !coarse_.empty() ? std::optional(nearestTo(kTau)) : std::nullopt);
}

QString ThresholdPlot::readout() const {
    if (!read_) return {};
    const QString before = tr("t %1 · coarse %2 · refined %3")
                               .arg(shortScientific(coarse_[*read_].threshold),
                                    fixed(coarse_[*read_].f, 1), fixed(refined_[*read_].f, 1));
    if (fitted_.empty()) return before + QStringLiteral(" %");
    return tr("%1 · fitted %2 %").arg(before, fixed(fitted_[*read_].f, 1));
}

QSize ThresholdPlot::sizeHint() const {
    return {240, kTop + kPlot + 4 + fontMetrics().height()};
}

QRectF ThresholdPlot::room() const {
    return {0.5, kTop + 0.5, width() - 1.0, kPlot - 1.0};
}

QPointF ThresholdPlot::place(const FScore& score) const {
    const QRectF area = room();
    const double highest = coarse_.back().threshold;
    return {area.left() + area.width() * score.threshold / highest,
            area.bottom() - area.height() * score.f / 100};
}

std::size_t ThresholdPlot::nearestTo(double threshold) const {
    const double step = coarse_.back().threshold / static_cast<double>(coarse_.size() - 1);
    const double index = std::round(threshold / step);
    return static_cast<std::size_t>(
        std::clamp(index, 0.0, static_cast<double>(coarse_.size() - 1)));
}

void ThresholdPlot::read(std::optional<std::size_t> index) {
    read_ = index;
    setAccessibleName(tr("F over threshold"));
    setAccessibleDescription(readout());
    update();
}

void ThresholdPlot::paintEvent(QPaintEvent*) {
    if (coarse_.size() < 2 || refined_.size() != coarse_.size()) return;
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = room();
    painter.setPen(QPen(hasFocus() ? colours.accent : colours.border, 1));
    for (const double share : {0.0, 0.5, 1.0}) {
        const qreal y = std::round(area.top() + area.height() * share) + 0.5;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    const qreal tau = place({kTau, 0, 0, 0}).x();
    QPen dashed(colours.warm, 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(QPointF(tau, area.top()), QPointF(tau, area.bottom()));

    std::vector<std::pair<const std::vector<FScore>*, QColor>> curves{{&coarse_, colours.muted},
                                                                      {&refined_, colours.accent}};
    if (fitted_.size() == coarse_.size()) curves.emplace_back(&fitted_, colours.good);
    for (const auto& [scores, colour] : curves) {
        QPolygonF line;
        for (const FScore& score : *scores) line << place(score);
        painter.setPen(QPen(colour, 1.75));
        painter.drawPolyline(line);
    }

    painter.setFont(numberFont(font()));
    const QRectF below(0, kTop + kPlot + 4, width(), painter.fontMetrics().height());
    if (!read_) {
        painter.setPen(colours.muted);
        painter.drawText(below, Qt::AlignLeft, QStringLiteral("0"));
        painter.drawText(below, Qt::AlignRight, QStringLiteral("3 τ"));
        painter.drawText(QRectF(tau - 40, below.top(), 80, below.height()), Qt::AlignHCenter,
                         QStringLiteral("τ"));
        return;
    }
    const QPointF at = place(coarse_[*read_]);
    painter.setPen(QPen(colours.text, 1));
    painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
    painter.setPen(Qt::NoPen);
    for (const auto& [scores, colour] : curves) {
        painter.setBrush(colour);
        painter.drawEllipse(place((*scores)[*read_]), 3, 3);
    }
    painter.setPen(colours.text);
    painter.drawText(below, Qt::AlignLeft,
                     painter.fontMetrics().elidedText(readout(), Qt::ElideRight, width()));
}

void ThresholdPlot::mouseMoveEvent(QMouseEvent* event) {
    if (coarse_.size() < 2) return;
    const QRectF area = room();
    const double share = (event->position().x() - area.left()) / area.width();
    read(nearestTo(share * coarse_.back().threshold));
}

void ThresholdPlot::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    read(std::nullopt);
}

void ThresholdPlot::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    if (coarse_.size() < 2 || (!left && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t now = read_.value_or(nearestTo(kTau));
    read(left ? now - std::min<std::size_t>(now, 1) : std::min(now + 1, coarse_.size() - 1));
}

void ThresholdPlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (coarse_.size() > 1) read(nearestTo(kTau));
}

void ThresholdPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    read(std::nullopt);
}

}  // namespace threefold::ui
