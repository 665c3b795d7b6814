#include "ui/style/label_grid.h"

namespace threefold::ui {

QLabel* LabelGrid::find(int row, int column) const {
    const QLayoutItem* item = grid_.itemAtPosition(row, column);
    return item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
}

QLabel& LabelGrid::at(int row, int column) {
    if (QLabel* known = find(row, column)) return *known;
    QLabel* label = makeLabel_(row, column);
    grid_.addWidget(label, row, column);
    return *label;
}

QLabel& LabelGrid::set(int row, int column, const QString& text, const QString& tooltip) {
    QLabel& label = at(row, column);
    label.setText(text);
    label.setToolTip(tooltip);
    label.show();
    return label;
}

void LabelGrid::hideFrom(int row) {
    for (; row < grid_.rowCount(); ++row)
        for (int column = 0; column < grid_.columnCount(); ++column)
            if (QLabel* label = find(row, column)) label->hide();
}

}  // namespace threefold::ui
