#pragma once

#include <functional>
#include <utility>

#include <QGridLayout>
#include <QLabel>

namespace threefold::ui {

/// Labels in the cells of a grid layout, made when first used.
class LabelGrid {
  public:
    using MakeLabel = std::function<QLabel*(int row, int column)>;

    /// `grid` must outlive this object.
    LabelGrid(QGridLayout& grid, MakeLabel makeLabel)
        : grid_(grid), makeLabel_(std::move(makeLabel)) {}

    /// The cell's label, or null.
    QLabel* find(int row, int column) const;
    /// The cell's label; a new label is not shown explicitly.
    QLabel& at(int row, int column);
    /// Sets text and tooltip of the cell's label, and shows the label.
    QLabel& set(int row, int column, const QString& text, const QString& tooltip = {});
    /// Hides the labels of this row and all below.
    void hideFrom(int row);

  private:
    QGridLayout& grid_;
    MakeLabel makeLabel_;
};

}  // namespace threefold::ui
