#pragma once

#include <QGridLayout>
#include <QLabel>
#include <QStringList>
#include <QWidget>

#include "engine/metrics/measures.h"
#include "ui/document/document.h"
#include "ui/document/measure_rows.h"

namespace threefold::ui {

/// Table of measures: a column for each mesh, and its difference from the mesh that it is compared
/// with (comparedWith()), green if better, red if worse.
class MeasuresTable : public QWidget {
    Q_OBJECT

  public:
    explicit MeasuresTable(QWidget* parent = nullptr);
    void setMeshes(std::vector<MeasuredMesh> meshes);
    /// Reserves the columns of a fitted mesh that is still to come.
    void awaitFit(bool on);
    /// Hides the differences beside fitted or opened meshes: the panes' headers show them.
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
        QString reference;  ///< name of the compared mesh; empty: no differences
    };
    std::vector<Column> columns() const;
    void refresh();
    void setHeading(int column, const QString& text, const QString& tip);
    void showVerdict(QLabel& difference, const QString& label, Verdict verdict) const;
    QLabel* cell(int row, int column);

    QGridLayout* grid_;
    std::vector<MeasuredMesh> meshes_;
    std::vector<MeasureRow> rows_;
    bool awaitsFit_ = false;
    bool compact_ = false;
};

/// F-scores of a mesh over the threshold.
struct ThresholdCurve {
    QString name;
    MeshId id = MeshId::result;  ///< gives the colour
    std::vector<FScore> scores;
};

/// Plot of the F-score over the threshold on the squared distance: a curve for each mesh, and a
/// line at τ. Pointer or arrow keys read the curves at a threshold.
class ThresholdPlot : public QWidget {
    Q_OBJECT

  public:
    explicit ThresholdPlot(QWidget* parent = nullptr);

    /// Sets the curves, all at the same equidistant thresholds from 0. Drops curves of another
    /// length.
    void setCurves(std::vector<ThresholdCurve> curves);
    const std::vector<ThresholdCurve>& curves() const { return curves_; }
    /// Text of the values at the threshold being read; empty if none is.
    QString readout() const;
    /// CSV: a header line with the names, then a line for each threshold.
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
    QRectF plotArea() const;
    QPointF positionOf(const FScore& score) const;
    void readAt(std::optional<std::size_t> index);
    std::size_t nearestTo(double threshold) const;

    bool empty() const { return curves_.empty() || curves_.front().scores.size() < 2; }
    /// The first curve's scores, for the common thresholds.
    const std::vector<FScore>& scale() const { return curves_.front().scores; }

    std::vector<ThresholdCurve> curves_;
    std::optional<std::size_t> readIndex_;  ///< index of the threshold being read
};

}  // namespace threefold::ui
