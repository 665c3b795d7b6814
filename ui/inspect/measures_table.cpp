#include "ui/inspect/measures_table.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

#include "ui/style/theme.h"

namespace threefold::ui {

MeasuresTable::MeasuresTable(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(0, 1);
    const char* const headings[] = {"", "coarse", "refined", "Δ"};
    for (int column = 1; column < 4; ++column) {
        QLabel* heading = cell(0, column);
        heading->setText(QString::fromUtf8(headings[column]));
        setRank(*heading, "muted");
    }
    cell(0, 3)->setToolTip(
        QStringLiteral("Refined minus coarse: green where refinement improved "
                       "the measure, red where it made it worse"));
}

void MeasuresTable::show(const std::vector<MeasureRow>& rows) {
    rows_ = rows;
    refresh();
}

void MeasuresTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

void MeasuresTable::refresh() {
    const ThemeColours colours = themeColours(palette());
    int line = 1;
    for (const MeasureRow& row : rows_) {
        const QString texts[] = {row.label, row.coarse, row.refined, row.difference};
        for (int column = 0; column < 4; ++column) {
            QLabel* label = cell(line, column);
            label->setText(texts[column]);
            label->setToolTip(row.tooltip);
        }
        const QColor verdict = row.verdict == Verdict::better  ? colours.good
                               : row.verdict == Verdict::worse ? colours.bad
                                                               : colours.muted;
        QLabel* difference = cell(line, 3);
        QPalette tinted = difference->palette();
        tinted.setColor(QPalette::WindowText, verdict);
        difference->setPalette(tinted);
        const QString judged = row.verdict == Verdict::better  ? QStringLiteral("better")
                               : row.verdict == Verdict::worse ? QStringLiteral("worse")
                                                               : QStringLiteral("the same");
        difference->setAccessibleName(row.label + ' ' + row.difference + ", " + judged);
        ++line;
    }
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
