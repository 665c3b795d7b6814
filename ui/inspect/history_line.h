#pragma once

#include <vector>

#include <QWidget>

#include "ui/document/stage_history.h"

namespace threefold::ui {

/// What the last runs took as a whole, as a line from the oldest to the newest.
class HistoryLine : public QWidget {
    Q_OBJECT

  public:
    explicit HistoryLine(QWidget* parent = nullptr);
    void show(const StageHistory& history);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<double> totals_;
};

}  // namespace threefold::ui
