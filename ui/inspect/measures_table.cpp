#include "ui/inspect/measures_table.h"

#include <algorithm>
#include <utility>

#include <QGridLayout>
#include <QLabel>
#include <QStyle>

#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kDifference = 3, kFitted = 4, kFittedDifference = 5, kOpened = 6;
constexpr int kColumns = 7;
// Widest name in logical pixels: beside the network's columns, and alone.
constexpr int kWidestName = 72, kWidestNameAlone = 160;

bool anyHas(const std::vector<MeasureRow>& rows, QString MeasureRow::*text) {
    return std::ranges::any_of(rows, [&](const MeasureRow& row) { return !(row.*text).isEmpty(); });
}

}  // namespace

MeasuresTable::MeasuresTable(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(0, 1);
    const char* const headings[] = {"", "coarse", "refined", "Δ", "fitted", "Δ", ""};
    for (int column = 1; column < kColumns; ++column) {
        QLabel* heading = cell(0, column);
        heading->setText(QString::fromUtf8(headings[column]));
        setRank(*heading, "muted");
    }
    cell(0, kDifference)
        ->setToolTip(QStringLiteral("Refined minus coarse: green where refinement improved "
                                    "the measure, red where it made it worse"));
    cell(0, kFittedDifference)
        ->setToolTip(
            QStringLiteral("Fitted minus refined: green where the fit to the photographs improved "
                           "the measure, red where it made it worse"));
}

void MeasuresTable::setRows(const std::vector<MeasureRow>& rows, const QString& opened) {
    rows_ = rows;
    opened_ = opened;
    refresh();
}

void MeasuresTable::awaitFit(bool on) {
    awaitsFit_ = on;
    refresh();
}

void MeasuresTable::setCompact(bool compact) {
    if (std::exchange(compact_, compact) != compact) refresh();
}

void MeasuresTable::refresh() {
    const bool network = rows_.empty() || anyHas(rows_, &MeasureRow::refined);
    const bool fitted = network && (awaitsFit_ || anyHas(rows_, &MeasureRow::fitted));
    const bool opened = anyHas(rows_, &MeasureRow::opened);
    const bool differences = !(fitted && opened) && !(compact_ && (fitted || opened));
    const auto shown = [&](int column) {
        if (column == kOpened) return opened;
        if (column == kDifference) return network && differences;
        if (column == kFittedDifference) return fitted && differences;
        return column == 0 || (column == kFitted ? fitted : network);
    };
    QLabel& heading = *cell(0, kOpened);
    heading.setText(heading.fontMetrics().elidedText(opened_, Qt::ElideMiddle,
                                                     network ? kWidestName : kWidestNameAlone));
    heading.setToolTip(opened_);
    heading.setAccessibleName(opened_);
    const QFontMetrics digits(numberFont(font()));
    for (const auto& [column, widest] :
         {std::pair(kFitted, "100.00"), std::pair(kFittedDifference, "−00.000")}) {
        const bool wide = awaitsFit_ && shown(column);
        grid_->setColumnMinimumWidth(
            column, wide ? digits.horizontalAdvance(QString::fromUtf8(widest)) : 0);
    }
    for (int column = 1; column < kColumns; ++column) cell(0, column)->setVisible(shown(column));
    int line = 1;
    for (const MeasureRow& row : rows_) {
        const QString texts[] = {row.label,  row.coarse,           row.refined, row.difference,
                                 row.fitted, row.fittedDifference, row.opened};
        for (int column = 0; column < kColumns; ++column) {
            QLabel* label = cell(line, column);
            label->setText(texts[column]);
            label->setToolTip(row.tooltip);
            label->setVisible(shown(column));
        }
        judge(*cell(line, kDifference), row.label, row.verdict);
        judge(*cell(line, kFittedDifference), row.label, row.fittedVerdict);
        ++line;
    }
}

void MeasuresTable::judge(QLabel& difference, const QString& label, Verdict verdict) const {
    // The style sheet sets the colour, so that it follows the theme.
    const char* const name = verdict == Verdict::better  ? "better"
                             : verdict == Verdict::worse ? "worse"
                                                         : "same";
    if (difference.property("verdict").toString() != QLatin1String(name)) {
        difference.setProperty("verdict", QString::fromLatin1(name));
        difference.style()->unpolish(&difference);
        difference.style()->polish(&difference);
    }
    const QString judged = verdict == Verdict::better  ? QStringLiteral("better")
                           : verdict == Verdict::worse ? QStringLiteral("worse")
                                                       : QStringLiteral("the same");
    difference.setAccessibleName(label + ' ' + difference.text() + ", " + judged);
}

QLabel* MeasuresTable::cell(int row, int column) {
    if (QLayoutItem* item = grid_->itemAtPosition(row, column)) {
        return qobject_cast<QLabel*>(item->widget());
    }
    auto* label = new QLabel(this);
    if (column > 0) {
        label->setFont(numberFont(font()));
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (row > 0 && column > 0) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid_->addWidget(label, row, column);
    return label;
}

}  // namespace threefold::ui
