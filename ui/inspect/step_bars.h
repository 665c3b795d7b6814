#pragma once

#include <array>
#include <optional>

#include <QWidget>

#include "ui/document/step_history.h"

namespace threefold::ui {

/// Table of the run steps' times in milliseconds. Each step has a name, a bar and the time of the
/// last run, the median and 95th percentile of all runs, and its percentage of the last run.
class StepBars : public QWidget {
    Q_OBJECT

  public:
    explicit StepBars(QWidget* parent = nullptr);
    void setHistory(const StepHistory& history);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {180, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int stepCount() const { return static_cast<int>(history_.steps().size()); }
    int lineHeight() const { return fontMetrics().height() + 5; }

    struct Columns;
    Columns columns() const;
    QRectF cell(const Columns& columns, int row, int index) const;
    void paintHeading(QPainter& painter, const Columns& columns) const;
    void paintBar(QPainter& painter, const Columns& columns, int row, RunStep step,
                  double maxTime) const;
    struct TableRow {
        QString name;
        bool isSum = false;                          ///< the total or the fit, without a bar
        std::array<std::optional<double>, 3> times;  ///< last, median, 95th percentile
        QString percentage;
    };
    void paintRow(QPainter& painter, const Columns& columns, int row,
                  const TableRow& content) const;

    StepHistory history_;
};

}  // namespace threefold::ui
