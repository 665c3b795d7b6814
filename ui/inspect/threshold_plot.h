#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "engine/metrics/measures.h"

namespace threefold::ui {

/// F-score over the threshold on the squared distance, coarse, refined and fitted, with a line at
/// τ. The pointer, or the arrow keys, read all curves.
class ThresholdPlot : public QWidget {
    Q_OBJECT

  public:
    explicit ThresholdPlot(QWidget* parent = nullptr);

    /// At the same thresholds, ascending from 0; both empty: nothing is drawn. `fitted` may be
    /// empty.
    void show(const std::vector<FScore>& coarse, const std::vector<FScore>& refined,
              const std::vector<FScore>& fitted = {});
    /// What is read off at the moment; the scale where nothing is.
    QString readout() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  private:
    QRectF room() const;
    QPointF place(const FScore& score) const;
    void read(std::optional<std::size_t> index);
    std::size_t nearestTo(double threshold) const;

    std::vector<FScore> coarse_;
    std::vector<FScore> refined_;
    std::vector<FScore> fitted_;
    std::optional<std::size_t> read_;
};

}  // namespace threefold::ui
