#pragma once

#include <vector>

#include <QWidget>

#include "ui/document/measure_rows.h"

class QGridLayout;
class QLabel;

namespace threefold::ui {

/// Rows of measures; columns coarse, refined and their difference, red where refinement made it
/// worse, green where better.
class MeasuresTable : public QWidget {
    Q_OBJECT

  public:
    explicit MeasuresTable(QWidget* parent = nullptr);
    void show(const std::vector<MeasureRow>& rows);
    const std::vector<MeasureRow>& rows() const { return rows_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void refresh();
    QLabel* cell(int row, int column);

    QGridLayout* grid_;
    std::vector<MeasureRow> rows_;
};

}  // namespace threefold::ui
