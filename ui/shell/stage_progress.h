#pragma once

#include <QWidget>

#include "engine/progress.h"
#include "ui/document/stage_history.h"

namespace threefold::ui {

/// How far a run is: one segment a stage, as wide as its share of the usual time.
class StageProgress : public QWidget {
    Q_OBJECT

  public:
    explicit StageProgress(QWidget* parent = nullptr);

    void start(const StageHistory& history);
    void advance(const Progress& progress);
    double done() const;  ///< 0…1 of the usual time

    QSize sizeHint() const override { return {200, 8}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<double> shares_;  // of kAllStages, sum 1
    Progress now_{Stage::load, 0};
};

}  // namespace threefold::ui
