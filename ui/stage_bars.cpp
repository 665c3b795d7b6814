#include "ui/stage_bars.h"

#include <algorithm>
#include <iterator>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/number_format.h"
#include "ui/theme.h"

namespace threefold::ui {
namespace {

constexpr int kStages = static_cast<int>(std::size(kAllStages));

QString nameOf(Stage stage) {
    const std::string_view name = stageName(stage);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

QString shown(std::optional<double> time) {
    return time ? milliseconds(*time) : QStringLiteral("–");
}

}  // namespace

StageBars::StageBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageBars::show(const StageHistory& history) {
    history_ = history;
    QString spoken = QStringLiteral("Milliseconds of the last run:");
    for (const Stage stage : kAllStages) {
        spoken += ' ' + nameOf(stage) + ' ' + shown(history_.last(stage)) + ';';
    }
    setAccessibleName(spoken);
    update();
}

int StageBars::lineHeight() const {
    return fontMetrics().height() + 5;
}

QSize StageBars::sizeHint() const {
    return {240, lineHeight() * (kStages + 2) + 4};
}

void StageBars::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont numbers = numberFont(font());
    const QFontMetrics digits(numbers);
    const int line = lineHeight();
    const int column = std::max(digits.horizontalAdvance(QStringLiteral("1 000")),
                                fontMetrics().horizontalAdvance(QStringLiteral("median"))) +
                       8;
    int nameWidth = 0;
    for (const Stage stage : kAllStages) {
        nameWidth = std::max(nameWidth, fontMetrics().horizontalAdvance(nameOf(stage)));
    }
    nameWidth += 10;
    const qreal barLeft = nameWidth;
    const qreal barRoom = std::max(16, width() - nameWidth - 2 * column - 4);

    const auto text = [&](const QRectF& box, const QString& what, const QColor& colour,
                          Qt::Alignment alignment) {
        painter.setPen(colour);
        painter.drawText(box, alignment | Qt::AlignVCenter, what);
    };
    const auto lastBox = [&](int row) {
        return QRectF(width() - 2 * column, row * line, column, line);
    };
    const auto medianBox = [&](int row) {
        return QRectF(width() - column, row * line, column, line);
    };
    text(lastBox(0), QStringLiteral("last"), colours.muted, Qt::AlignRight);
    text(medianBox(0), QStringLiteral("median"), colours.muted, Qt::AlignRight);

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
        text(lastBox(row), shown(last), last ? colours.text : colours.muted, Qt::AlignRight);
        text(medianBox(row), shown(history_.median(stage)), colours.muted, Qt::AlignRight);
        ++row;
    }
    painter.setPen(colours.border);
    painter.drawLine(QPointF(0, row * line + 1.5), QPointF(width(), row * line + 1.5));
    painter.translate(0, 4);
    painter.setFont(font());
    const QString runs = history_.runs() > 1
                             ? QStringLiteral("total · %1 runs").arg(history_.runs())
                             : QStringLiteral("total");
    text(QRectF(0, row * line, width() - 2 * column, line), runs, colours.text, Qt::AlignLeft);
    painter.setFont(numbers);
    text(lastBox(row), shown(history_.lastTotal()), colours.text, Qt::AlignRight);
    text(medianBox(row), shown(history_.medianTotal()), colours.muted, Qt::AlignRight);
}

bool StageBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = help->pos().y() / lineHeight() - 1;
    if (row >= 0 && row < kStages) {
        const std::string_view what = stageDescription(kAllStages[row]);
        QToolTip::showText(help->globalPos(),
                           QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size())) +
                               QStringLiteral(" (wall time in milliseconds)"),
                           this);
    } else if (row == kStages) {
        QToolTip::showText(help->globalPos(),
                           QStringLiteral("Sum of the network's stages, without load"), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

}  // namespace threefold::ui
