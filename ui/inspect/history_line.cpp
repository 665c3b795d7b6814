#include "ui/inspect/history_line.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QPolygonF>
#include <QToolTip>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMaxRuns = 64;
constexpr int kMargin = 4;

}  // namespace

HistoryLine::HistoryLine(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HistoryLine::setHistory(const StepHistory& history) {
    const std::deque<double>& totals = history.totals().values();
    const std::size_t count = std::min(totals.size(), kMaxRuns);
    totals_.assign(totals.end() - static_cast<std::ptrdiff_t>(count), totals.end());
    if (!totals_.empty()) {
        const auto [min, max] = std::minmax_element(totals_.begin(), totals_.end());
        setAccessibleName(tr("Total of the last %1 runs: between %2 and %3 milliseconds")
                              .arg(count)
                              .arg(millisecondsText(*min), millisecondsText(*max)));
    }
    update();
}

void HistoryLine::paintEvent(QPaintEvent*) {
    if (totals_.size() < 2) return;
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // The axis starts at zero, so that a small change looks small.
    const double maxTotal = std::max(1e-9, *std::max_element(totals_.begin(), totals_.end()));
    const qreal chartHeight = height() - 2 * kMargin;
    const qreal step = (width() - 2.0 * kMargin) / static_cast<qreal>(totals_.size() - 1);
    QPolygonF line;
    for (std::size_t i = 0; i < totals_.size(); ++i) {
        line << QPointF(kMargin + step * static_cast<qreal>(i),
                        height() - kMargin - chartHeight * totals_[i] / maxTotal);
    }
    painter.setPen(QPen(colours.border, 1));
    painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
    painter.setPen(QPen(colours.muted, 1.25));
    painter.drawPolyline(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.accent);
    painter.drawEllipse(line.back(), 2.5, 2.5);
}

bool HistoryLine::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || totals_.size() < 2) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double step = (width() - 2.0 * kMargin) / static_cast<double>(totals_.size() - 1);
    const auto last = static_cast<int>(totals_.size()) - 1;
    const int index = std::clamp(qRound((help->pos().x() - kMargin) / step), 0, last);
    QToolTip::showText(help->globalPos(),
                       tr("%1 ms, %2 runs ago")
                           .arg(millisecondsText(totals_[static_cast<std::size_t>(index)]))
                           .arg(last - index),
                       this);
    return true;
}

}  // namespace threefold::ui
