#pragma once

#include <vector>

#include <QWidget>

#include "ui/document/measure_rows.h"

class QGridLayout;
class QLabel;

namespace threefold::ui {

/// Rows of measures; columns coarse, refined and their difference, red where refinement made it
/// worse, green where better. Where there is a fitted mesh, the same of it against the refined one
/// follows; last comes the opened mesh, under its name.
class MeasuresTable : public QWidget {
    Q_OBJECT

  public:
    explicit MeasuresTable(QWidget* parent = nullptr);
    /// `opened`: the name of the opened mesh. Columns without a text are not shown.
    void show(const std::vector<MeasureRow>& rows, const QString& opened = {});
    QString openedName() const { return opened_; }
    /// Whether fitted meshes are to come: their columns have their room from the start.
    void awaitFit(bool on);
    /// Beside fitted or opened meshes without the differences: the panes' headers show them.
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
