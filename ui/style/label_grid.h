#pragma once

#include <functional>
#include <map>
#include <utility>

#include <QGridLayout>
#include <QLabel>

namespace threefold::ui {

/// Labels in the cells of a grid layout, made when first used. Set between begin() and finish():
/// the layout is then computed once, not once for each label that is shown.
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
    /// Begins a new content.
    void begin();
    /// Sets text and tooltip of the cell's label, and shows the label.
    QLabel& set(int row, int column, const QString& text, const QString& tooltip = {});
    /// Ends the content: hides the labels that were not set since begin().
    void finish();

  private:
    struct Cell {
        QLabel* label;
        bool isSet = false;
    };
    Cell& cellAt(int row, int column);

    QGridLayout& grid_;
    MakeLabel makeLabel_;
    std::map<std::pair<int, int>, Cell> cells_;  ///< by row and column
};

}  // namespace threefold::ui
