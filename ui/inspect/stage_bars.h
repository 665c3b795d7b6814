#pragma once

#include <QWidget>

#include "ui/document/stage_history.h"

namespace threefold::ui {

/// A line for each stage: name, a bar for the time of the last run, that time, median and 95th
/// percentile of all runs, in milliseconds.
class StageBars : public QWidget {
    Q_OBJECT

  public:
    explicit StageBars(QWidget* parent = nullptr);
    void setHistory(const StageHistory& history);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {180, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int stageCount() const { return static_cast<int>(history_.stages().size()); }
    int lineHeight() const { return fontMetrics().height() + 5; }

    StageHistory history_;
};

/// A line chart of the total times of the last runs, oldest first.
class HistoryLine : public QWidget {
    Q_OBJECT

  public:
    explicit HistoryLine(QWidget* parent = nullptr);
    void setHistory(const StageHistory& history);

    QSize sizeHint() const override { return {240, 32}; }
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<double> totals_;
};

}  // namespace threefold::ui
