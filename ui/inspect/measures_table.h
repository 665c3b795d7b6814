#pragma once

#include <QGridLayout>
#include <QLabel>
#include <QStringList>
#include <QWidget>

#include "engine/metrics/measures.h"
#include "ui/document/document.h"
#include "ui/document/measure_rows.h"

namespace threefold::ui {

/// Rows of measures; a column for each mesh under its name, and its change from the mesh that it is
/// compared with (comparedWith()), red where that is for the worse, green for the better.
class MeasuresTable : public QWidget {
    Q_OBJECT

  public:
    explicit MeasuresTable(QWidget* parent = nullptr);
    void setMeshes(std::vector<MeasuredMesh> meshes);
    /// Reserves room for the columns of fitted meshes that are still to come.
    void awaitFit(bool on);
    /// Hides the differences beside fitted or opened meshes: the panes' headers show them.
    void setCompact(bool compact) {
        if (std::exchange(compact_, compact) != compact) refresh();
    }
    const std::vector<MeasureRow>& rows() const { return rows_; }

  protected:
    /// Copies a value or a row; and this widget's actions.
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    /// A mesh's two columns in the grid.
    struct Column {
        MeshId id;
        QString name;
        QString before;  ///< the mesh that it is compared with; empty: no changes are shown
    };
    std::vector<Column> columns() const;
    void refresh();
    void setHeading(int column, const QString& text, const QString& tip);
    void judge(QLabel& difference, const QString& label, Verdict verdict) const;
    QLabel* cell(int row, int column);

    QGridLayout* grid_;
    std::vector<MeasuredMesh> meshes_;
    std::vector<MeasureRow> rows_;
    bool awaitsFit_ = false;
    bool compact_ = false;
};

/// F-score of a mesh over the threshold.
struct ThresholdCurve {
    QString name;
    MeshId id = MeshId::result;  ///< gives the colour
    std::vector<FScore> scores;
};

/// F-score over the threshold on the squared distance, a curve for each mesh, with a line at τ. The
/// pointer, or the arrow keys, read all curves.
class ThresholdPlot : public QWidget {
    Q_OBJECT

  public:
    explicit ThresholdPlot(QWidget* parent = nullptr);

    /// All at the same thresholds, ascending from 0; drawn in this order.
    void setCurves(std::vector<ThresholdCurve> curves);
    const std::vector<ThresholdCurve>& curves() const { return curves_; }
    /// The values at the pointer; without one, the scale.
    QString readout() const;
    /// A line of names, then one for each threshold.
    std::string csv() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int plotHeight() const;
    QRectF room() const;
    QPointF place(const FScore& score) const;
    void read(std::optional<std::size_t> index);
    std::size_t nearestTo(double threshold) const;

    bool empty() const { return curves_.empty() || curves_.front().scores.size() < 2; }
    /// One for each of the curves: at their thresholds.
    const std::vector<FScore>& scale() const { return curves_.front().scores; }

    std::vector<ThresholdCurve> curves_;
    std::optional<std::size_t> read_;
};

}  // namespace threefold::ui
