#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QString>
#include <QWidget>

#include "engine/measures/chamfer_and_f_scores.h"
#include "ui/results/mesh_id.h"
#include "ui/style/theme.h"

class QPainter;

namespace threefold::ui {

/// F-scores of a mesh over the threshold.
struct ThresholdCurve {
    QString name;
    MeshId id = MeshId::result;  ///< gives the line's colour and dashes
    std::vector<FScore> scores;
};

/// Plot of the F-score over the threshold on the squared distance: a curve for each mesh, and a
/// line at τ. Pointer or arrow keys read the curves at a threshold.
class ThresholdPlot : public QWidget {
    Q_OBJECT

  public:
    explicit ThresholdPlot(QWidget* parent = nullptr);

    /// Sets the curves. Their scores must be at one list of equidistant thresholds that starts at
    /// 0. Drops curves with more or fewer scores than the first.
    void setCurves(std::vector<ThresholdCurve> curves);
    const std::vector<ThresholdCurve>& curves() const { return curves_; }
    /// Text of the values at the threshold being read; empty if no threshold is being read.
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
    void paintGrid(QPainter& painter, const ThemeColours& colours) const;
    void paintCurves(QPainter& painter, const ThemeColours& colours) const;
    void paintNames(QPainter& painter, const ThemeColours& colours) const;
    void paintAxes(QPainter& painter, const ThemeColours& colours) const;
    void paintReadout(QPainter& painter, const ThemeColours& colours) const;
    int plotHeight() const;
    QRectF plotArea() const;
    /// Width of the names at the right of the plot.
    int namesWidth() const;
    QString shownName(const ThresholdCurve& curve) const;
    /// Line of text below the plot, `height` logical pixels high.
    QRectF lineBelow(int height) const;
    QPointF positionOf(const FScore& score) const;
    void readAt(std::optional<std::size_t> index);
    std::size_t nearestTo(double threshold) const;

    bool empty() const { return thresholds_.size() < 2; }

    std::vector<ThresholdCurve> curves_;
    std::vector<double> thresholds_;        ///< of all curves
    std::optional<std::size_t> readIndex_;  ///< index of the threshold being read
};

}  // namespace threefold::ui
