#include "ui/inspect/stage_bars.h"

#include <algorithm>
#include <iterator>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kStages = static_cast<int>(std::size(kAllStages));
// last, median, p95; a narrow panel leaves the last one out.
constexpr int kTimeColumns = 3;
constexpr int kNarrow = 232;

QString nameOf(Stage stage) {
    const std::string_view name = stageName(stage);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

QString timeText(std::optional<double> time) {
    return time ? milliseconds(*time) : QStringLiteral("–");
}

}  // namespace

StageBars::StageBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageBars::setHistory(const StageHistory& history) {
    history_ = history;
    QString spoken = tr("Milliseconds of the last run:");
    for (const Stage stage : kAllStages) {
        spoken += ' ' + nameOf(stage) + ' ' + timeText(history_.last(stage)) + ';';
    }
    if (!history_.fits().empty()) spoken += ' ' + tr("fit") + ' ' + timeText(history_.lastFit());
    setAccessibleName(spoken);
    updateGeometry();
    update();
}

QSize StageBars::sizeHint() const {
    const int fits = history_.fits().empty() ? 0 : 1;
    return {240, lineHeight() * (kStages + 2 + fits) + 4};
}

void StageBars::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont numbers = numberFont(font());
    const QFontMetrics digits(numbers);
    const int line = lineHeight();
    const int column = std::max(digits.horizontalAdvance(QStringLiteral("1 000")),
                                fontMetrics().horizontalAdvance(tr("median"))) +
                       6;
    const int columns = width() < kNarrow ? kTimeColumns - 1 : kTimeColumns;
    int nameWidth = 0;
    for (const Stage stage : kAllStages) {
        nameWidth = std::max(nameWidth, fontMetrics().horizontalAdvance(nameOf(stage)));
    }
    nameWidth += 8;
    const qreal barLeft = nameWidth;
    const qreal barRoom = std::max(16, width() - nameWidth - columns * column - 2);

    const auto text = [&](const QRectF& room, const QString& what, const QColor& colour,
                          Qt::Alignment alignment) {
        painter.setPen(colour);
        painter.drawText(room, alignment | Qt::AlignVCenter, what);
    };
    const auto box = [&](int row, int which) {
        return QRectF(width() - (columns - which) * column, row * line, column, line);
    };
    const QString titles[kTimeColumns] = {tr("last"), tr("median"), tr("p95")};
    for (int i = 0; i < columns; ++i) text(box(0, i), titles[i], colours.muted, Qt::AlignRight);

    double longest = 1e-9;
    for (const Stage stage : kAllStages) {
        longest = std::max(longest, history_.last(stage).value_or(0));
    }
    const double total = history_.lastTotal().value_or(0);
    int row = 1;
    for (const Stage stage : kAllStages) {
        painter.setFont(font());
        text(QRectF(0, row * line, nameWidth, line), nameOf(stage), colours.muted, Qt::AlignLeft);
        const auto last = history_.last(stage);
        if (last) {
            const double share = total > 0 ? *last / total : 0;
            constexpr double kLarge = 0.3;
            constexpr double kSizeable = 0.15;
            painter.setPen(Qt::NoPen);
            // Loading is not the network's time, so it takes no share of it.
            painter.setBrush(stage == Stage::load ? colours.muted
                             : share >= kLarge    ? colours.hot
                             : share >= kSizeable ? colours.warm
                                                  : colours.accent);
            const QRectF bar(barLeft, row * line + (line - 8) / 2.0,
                             std::max(2.0, barRoom * *last / longest), 8);
            painter.drawRoundedRect(bar, 2, 2);
        }
        painter.setFont(numbers);
        text(box(row, 0), timeText(last), last ? colours.text : colours.muted, Qt::AlignRight);
        text(box(row, 1), timeText(history_.median(stage)), colours.muted, Qt::AlignRight);
        if (columns == kTimeColumns) {
            text(box(row, 2), timeText(history_.p95(stage)), colours.muted, Qt::AlignRight);
        }
        ++row;
    }
    painter.setPen(colours.border);
    painter.drawLine(QPointF(0, row * line + 1.5), QPointF(width(), row * line + 1.5));
    painter.translate(0, 4);
    painter.setFont(font());
    text(QRectF(0, row * line, width() - columns * column, line), tr("total"), colours.text,
         Qt::AlignLeft);
    painter.setFont(numbers);
    text(box(row, 0), timeText(history_.lastTotal()), colours.text, Qt::AlignRight);
    text(box(row, 1), timeText(history_.medianTotal()), colours.muted, Qt::AlignRight);
    if (columns == kTimeColumns) {
        text(box(row, 2), timeText(history_.p95Total()), colours.muted, Qt::AlignRight);
    }
    if (history_.fits().empty()) return;
    ++row;
    painter.setFont(font());
    text(QRectF(0, row * line, width() - columns * column, line), tr("fit"), colours.text,
         Qt::AlignLeft);
    painter.setFont(numbers);
    text(box(row, 0), timeText(history_.lastFit()), colours.text, Qt::AlignRight);
    text(box(row, 1), timeText(nearestRank(history_.fits(), 0.5)), colours.muted, Qt::AlignRight);
    if (columns == kTimeColumns) {
        text(box(row, 2), timeText(nearestRank(history_.fits(), 0.95)), colours.muted,
             Qt::AlignRight);
    }
}

bool StageBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = help->pos().y() / lineHeight() - 1;
    if (row >= 0 && row < kStages) {
        const std::string_view what = stageDescription(kAllStages[row]);
        QToolTip::showText(help->globalPos(),
                           QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size())) +
                               tr(" (wall time in milliseconds)"),
                           this);
    } else if (row == kStages) {
        QToolTip::showText(help->globalPos(), tr("The network as a whole, without load"), this);
    } else if (row == kStages + 1 && !history_.fits().empty()) {
        QToolTip::showText(
            help->globalPos(),
            tr("The refined mesh, fitted to the photographs (wall time in milliseconds)"), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

}  // namespace threefold::ui
