#pragma once

#include <vector>

#include <QWidget>

#include "ui/document/measure_rows.h"

class QGridLayout;
class QLabel;

namespace threefold::ui {

/// Rows of measures; columns coarse, refined and their difference, red where refinement made it
/// worse, green where better. A fitted mesh and its difference to the refined one follow; last
/// comes the opened mesh, under its name.
class MeasuresTable : public QWidget {
    Q_OBJECT

  public:
    explicit MeasuresTable(QWidget* parent = nullptr);
    /// `opened`: the name of the opened mesh. Columns without a text are not shown.
    void setRows(const std::vector<MeasureRow>& rows, const QString& opened = {});
    QString openedName() const { return opened_; }
    /// Reserves room for the columns of fitted meshes that are still to come.
    void awaitFit(bool on);
    /// Hides the differences beside fitted or opened meshes: the panes' headers show them.
    void setCompact(bool compact);
    const std::vector<MeasureRow>& rows() const { return rows_; }

  private:
    void refresh();
    void judge(QLabel& difference, const QString& label, Verdict verdict) const;
    QLabel* cell(int row, int column);

    QGridLayout* grid_;
    std::vector<MeasureRow> rows_;
    QString opened_;
    bool awaitsFit_ = false;
    bool compact_ = false;
};

}  // namespace threefold::ui
