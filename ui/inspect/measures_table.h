#pragma once

#include <QGridLayout>
#include <QLabel>
#include <QStringList>
#include <QWidget>

#include "engine/measures/chamfer_and_f_scores.h"
#include "ui/document/document.h"
#include "ui/document/measure_rows.h"
#include "ui/style/label_grid.h"

namespace threefold::ui {

/// Table of measures: for each mesh a column of values, and a column of their differences from
/// another mesh (comparisonOf()), green if better, red if worse.
class MeasuresTable : public QWidget {
    Q_OBJECT

  public:
    explicit MeasuresTable(QWidget* parent = nullptr);
    void setMeshes(std::vector<MeasuredMesh> meshes);
    /// Reserves the columns of a fitted mesh while it is expected.
    void setFitExpected(bool expected);
    /// Hides the differences while there is a fitted or an opened mesh, for a narrow window.
    void setCompact(bool compact) {
        if (std::exchange(compact_, compact) != compact) refresh();
    }
    const std::vector<MeasureRow>& rows() const { return rows_; }

  protected:
    /// Offers to copy a value or a row, and this widget's actions.
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    /// The two grid columns of a mesh.
    struct Column {
        MeshId id;
        QString name;
        QString comparedWith;  ///< name of the mesh of comparisonOf(); empty: no differences
    };
    std::vector<Column> columns() const;
    void refresh();
    void setHeadings(const std::vector<Column>& columns);
    void setHeading(int column, const QString& text, const QString& tip);
    void setRow(int line, const MeasureRow& row, const std::vector<Column>& columns);
    void showVerdict(QLabel& difference, const QString& label, Verdict verdict) const;
    QLabel* makeCell(int row, int column);

    QGridLayout* grid_;
    LabelGrid cells_;
    std::vector<MeasuredMesh> meshes_;
    std::vector<MeasureRow> rows_;
    bool expectsFit_ = false;
    bool compact_ = false;
};

}  // namespace threefold::ui
