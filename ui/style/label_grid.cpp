#include "ui/style/label_grid.h"

namespace threefold::ui {

QLabel* LabelGrid::find(int row, int column) const {
    const auto found = cells_.find({row, column});
    return found == cells_.end() ? nullptr : found->second.label;
}

LabelGrid::Cell& LabelGrid::cellAt(int row, int column) {
    const auto found = cells_.find({row, column});
    if (found != cells_.end()) return found->second;
    QLabel* label = makeLabel_(row, column);
    grid_.addWidget(label, row, column);
    return cells_.emplace(std::pair(row, column), Cell{label}).first->second;
}

QLabel& LabelGrid::at(int row, int column) {
    return *cellAt(row, column).label;
}

void LabelGrid::begin() {
    // A visible parent's layout would be activated by each label that is shown.
    grid_.setEnabled(false);
    for (auto& [position, cell] : cells_) cell.isSet = false;
}

QLabel& LabelGrid::set(int row, int column, const QString& text, const QString& tooltip) {
    Cell& cell = cellAt(row, column);
    cell.isSet = true;
    cell.label->setText(text);
    cell.label->setToolTip(tooltip);
    cell.label->show();
    return *cell.label;
}

void LabelGrid::finish() {
    for (const auto& [position, cell] : cells_)
        if (!cell.isSet) cell.label->hide();
    grid_.setEnabled(true);
    grid_.activate();
}

}  // namespace threefold::ui
