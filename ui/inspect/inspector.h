#pragma once

#include <QWidget>

#include "ui/document/result.h"
#include "ui/document/stage_history.h"
#include "ui/run/worker.h"

class QLabel;

namespace threefold::ui {

class HistoryLine;
class MeasuresTable;
class StageBars;
class ThresholdPlot;

/// The right side: how good the meshes are, where the time went, and what computed them.
class Inspector : public QWidget {
    Q_OBJECT

  public:
    explicit Inspector(QWidget* parent = nullptr);

    void show(const Result& result, const StageHistory& history);
    void show(const BackendInfo& backend);
    // As MeasuresTable's.
    void awaitFit(bool on);
    void setCompact(bool compact);
    void showRenderer(const QString& device, bool software);

    const MeasuresTable& measures() const { return *measures_; }
    ThresholdPlot& plot() { return *plot_; }

  private:
    MeasuresTable* measures_;
    QLabel* protocol_;
    QLabel* noTruth_;
    QWidget* plotHeading_;
    ThresholdPlot* plot_;
    QLabel* stagesHeading_;
    StageBars* stages_;
    HistoryLine* historyLine_;
    QLabel* backend_;
    QLabel* model_;
    QLabel* provenance_;
    QLabel* renderer_;
};

}  // namespace threefold::ui
