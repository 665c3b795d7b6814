#pragma once

#include <functional>
#include <utility>

#include <QGridLayout>
#include <QLabel>

namespace threefold::ui {

/// Labels in the cells of a grid layout, made when first used. Each refresh of a table hides all
/// and shows those that it sets.
class LabelGrid {
  public:
    using MakeLabel = std::function<QLabel*(int row, int column)>;

    /// `grid` must outlive this object.
    LabelGrid(QGridLayout& grid, MakeLabel makeLabel)
        : grid_(grid), makeLabel_(std::move(makeLabel)) {}

    /// The cell's label, or null.
    QLabel* find(int row, int column) const;
    /// The cell's label; a new one is not shown explicitly.
    QLabel& at(int row, int column);
    /// Sets text and tooltip of a cell and shows it.
    QLabel& set(int row, int column, const QString& text, const QString& tooltip = {});
    void hideAll();

  private:
    QGridLayout& grid_;
    MakeLabel makeLabel_;
};

}  // namespace threefold::ui
