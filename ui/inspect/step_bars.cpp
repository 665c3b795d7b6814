#include "ui/inspect/step_bars.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

// Columns: last, median, p95, percentage of the last run; a narrow panel drops one or two at the
// right.
constexpr int kTimeColumns = 3;
constexpr int kNumberColumns = kTimeColumns + 1;
constexpr int kMinWidthThreeColumns = 232;
constexpr int kMinWidthFourColumns = 288;

QString nameOf(RunStep step) {
    return QString::fromUtf8(runStepName(step));
}

QString timeText(std::optional<double> time) {
    return time ? millisecondsText(*time) : QStringLiteral("–");
}

/// Percentage that a step has of the last run's time without the load step, "41.3"; empty for the
/// load step, and for a step that was not timed.
QString percentageText(const StepHistory& history, RunStep step) {
    const std::optional<double> last = history.last(step);
    double sum = 0;
    for (const RunStep other : history.steps())
        if (other != RunStep::load) sum += history.last(other).value_or(0);
    if (!last || step == RunStep::load || !(sum > 0)) return {};
    return QString::number(100 * *last / sum, 'f', 1);
}

}  // namespace

StepBars::StepBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepBars::setHistory(const StepHistory& history) {
    history_ = history;
    QString spoken = tr("Milliseconds of the last run:");
    for (const RunStep step : history_.steps()) {
        spoken += ' ' + nameOf(step) + ' ' + timeText(history_.last(step));
        const QString percentage = percentageText(history_, step);
        spoken += percentage.isEmpty() ? QStringLiteral(";") : tr(", %1 %;").arg(percentage);
    }
    if (const auto fit = history_.fits().last()) spoken += ' ' + tr("fit") + ' ' + timeText(fit);
    setAccessibleName(spoken);
    updateGeometry();
    update();
}

QSize StepBars::sizeHint() const {
    return {240, lineHeight() * (stepCount() + (history_.fits().size() > 0 ? 3 : 2)) + 4};
}

/// Columns of the table, in pixels: names, bars, and numbers at the right.
struct StepBars::Columns {
    int names = 0;
    int number = 0;  ///< width of each column of numbers
    int count = 0;   ///< columns of numbers that fit
};

StepBars::Columns StepBars::columns() const {
    Columns columns;
    const QFontMetrics digits(numberFont(font()));
    columns.number = std::max(digits.horizontalAdvance(QStringLiteral("1 000")),
                              fontMetrics().horizontalAdvance(tr("median"))) +
                     6;
    columns.count = width() < kMinWidthThreeColumns  ? kNumberColumns - 2
                    : width() < kMinWidthFourColumns ? kNumberColumns - 1
                                                     : kNumberColumns;
    for (const RunStep step : history_.steps())
        columns.names = std::max(columns.names, fontMetrics().horizontalAdvance(nameOf(step)));
    columns.names += 8;
    return columns;
}

QRectF StepBars::cell(const Columns& columns, int row, int index) const {
    return QRectF(width() - (columns.count - index) * columns.number, row * lineHeight(),
                  columns.number, lineHeight());
}

void StepBars::paintHeading(QPainter& painter, const Columns& columns) const {
    const QString titles[kNumberColumns] = {tr("last"), tr("median"), tr("p95"), tr("last %")};
    painter.setPen(themeColours(palette()).muted);
    for (int i = 0; i < columns.count; ++i)
        painter.drawText(cell(columns, 0, i), Qt::AlignRight | Qt::AlignVCenter, titles[i]);
}

void StepBars::paintBar(QPainter& painter, const Columns& columns, int row, RunStep step,
                        double maxTime) const {
    const std::optional<double> last = history_.last(step);
    if (!last) return;
    const qreal room = std::max(16, width() - columns.names - columns.count * columns.number - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(stepColour(step, themeColours(palette())));
    const int line = lineHeight();
    painter.drawRoundedRect(QRectF(columns.names, row * line + (line - 8) / 2.0,
                                   std::max(2.0, room * *last / maxTime), 8),
                            2, 2);
}

void StepBars::paintRow(QPainter& painter, const Columns& columns, int row,
                        const TableRow& content) const {
    const ThemeColours colours = themeColours(palette());
    const int nameWidth = content.isSum ? width() - columns.count * columns.number : columns.names;
    painter.setFont(font());
    painter.setPen(content.isSum ? colours.text : colours.muted);
    painter.drawText(QRectF(0, row * lineHeight(), nameWidth, lineHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter, content.name);
    painter.setFont(numberFont(font()));
    for (int i = 0; i < columns.count; ++i) {
        const bool strong = i == 0 && (content.isSum || content.times[0]);
        painter.setPen(strong ? colours.text : colours.muted);
        painter.drawText(cell(columns, row, i), Qt::AlignRight | Qt::AlignVCenter,
                         i < kTimeColumns ? timeText(content.times[static_cast<std::size_t>(i)])
                                          : content.percentage);
    }
}

void StepBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Columns columns = this->columns();
    paintHeading(painter, columns);
    double maxTime = 1e-9;
    for (const RunStep step : history_.steps())
        maxTime = std::max(maxTime, history_.last(step).value_or(0));
    int row = 1;
    for (const RunStep step : history_.steps()) {
        paintBar(painter, columns, row, step, maxTime);
        const RollingWindow& times = history_.times(step);
        paintRow(painter, columns, row++,
                 {nameOf(step),
                  false,
                  {history_.last(step), times.median(), times.p95()},
                  percentageText(history_, step)});
    }
    const qreal line = row * lineHeight() + 1.5;
    painter.setPen(themeColours(palette()).border);
    painter.drawLine(QPointF(0, line), QPointF(width(), line));
    painter.translate(0, 4);
    for (const auto& [name, times] :
         {std::pair(tr("total"), &history_.totals()), std::pair(tr("fit"), &history_.fits())})
        if (times->size() > 0 || times == &history_.totals())
            paintRow(painter, columns, row++,
                     {name, true, {times->last(), times->median(), times->p95()}, {}});
}

bool StepBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = help->pos().y() / lineHeight() - 1;
    QString text;  // empty: no tooltip
    const int steps = stepCount();
    if (row >= 0 && row < steps) {
        const RunStep step = history_.steps()[static_cast<std::size_t>(row)];
        text = QString::fromUtf8(runStepDescription(step)) + tr(" (wall time in milliseconds)");
        if (const QString percentage = percentageText(history_, step); !percentage.isEmpty())
            text += tr(", %1 % of the last run").arg(percentage);
    }
    if (row == steps)
        text = tr("The network as a whole, without load");
    else if (row == steps + 1 && history_.fits().size() > 0)
        text = tr("The network's mesh, fitted to the photographs (wall time in milliseconds)");
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace threefold::ui
