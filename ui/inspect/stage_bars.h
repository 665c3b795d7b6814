#pragma once

#include <QWidget>

#include "ui/document/stage_history.h"

namespace threefold::ui {

/// Table of the stage times in milliseconds. Each stage has a name, a bar for the last run, its
/// time there, median and 95th percentile of all runs, and its percentage of the last run.
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

/// Line chart of the network's total times of the last runs, oldest first.
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
