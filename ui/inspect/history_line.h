#pragma once

#include <vector>

#include <QWidget>

#include "ui/document/step_history.h"

namespace threefold::ui {

/// Line chart of the network's total times of the last runs, oldest first.
class HistoryLine : public QWidget {
    Q_OBJECT

  public:
    explicit HistoryLine(QWidget* parent = nullptr);
    void setHistory(const StepHistory& history);

    QSize sizeHint() const override { return {240, 32}; }
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<double> totals_;
};

}  // namespace threefold::ui
