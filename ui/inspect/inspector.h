#pragma once

#include <QBoxLayout>
#include <QTabBar>
#include <QToolButton>

#include "ui/document/measured_meshes.h"
#include "ui/inspect/history_line.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/step_bars.h"
#include "ui/inspect/threshold_plot.h"
#include "ui/run/network_client.h"

namespace threefold::ui {

class BoundedScroll;
class ElidedLabel;
struct FeatureContext;

/// The right panel: measures of the meshes, results, times of the steps, model and back end.
class Inspector : public QWidget {
    Q_OBJECT

  public:
    explicit Inspector(QWidget* parent = nullptr);

    /// Shows a result's fit, the fraction of the truth that the result's mesh misses, and the times
    /// of the runs.
    void setResult(const Result& result, const StepHistory& history);
    /// Shows the measures: table, plot and problems.
    void setMeasures(const MeasuredMeshes& measured);
    void setNetwork(const NetworkDescription& network);
    /// For opened meshes without a sample: hides the heading and the note of the measures while
    /// there are no measures.
    void setMeshesAlone(bool alone);
    /// Adds a widget above the measures.
    void addAboveMeasures(QWidget& widget) { aboveMeasures_->addWidget(&widget); }
    /// Dims the values that the running reconstruction will replace.
    void setStale(bool stale);
    /// Hides the measures and the fit while they belong to another sample than the input's.
    void setAnotherSample(bool another);
    /// Shows the sections as tabs, one at a time, for a small window.
    void setFolded(bool folded);

    MeasuresTable& measures() { return *measures_; }
    ThresholdPlot& plot() { return *plot_; }
    QToolButton& protocolButton() { return *protocolButton_; }
    /// Adds a section between measures and steps.
    void addSection(QWidget& section) { sections_->addWidget(&section); }

  private:
    void addPage(const QString& title, QBoxLayout* content);
    void showPages();
    /// Shows what there is of the measures, or says why there is nothing.
    void showMeasures();

    QTabBar* tabs_;
    std::vector<QWidget*> pages_;
    bool folded_ = false;
    bool meshesAlone_ = false;
    bool hasMeasures_ = false;
    bool isAnotherSample_ = false;
    QString whyNoMeasures_;
    QBoxLayout* aboveMeasures_;
    ElidedLabel* measuresHeading_;
    QToolButton* protocolButton_;
    MeasuresTable* measures_;
    BoundedScroll* measuresScroll_;
    QLabel* problems_;  // the reasons why meshes have no measures
    QLabel* noTruth_;
    // Fraction of the truth that the fitted mesh misses or, without a fitted mesh, that the
    // network's result misses; hidden below half a percent.
    QLabel* missed_;
    QLabel* fit_;  // summary of the result's fit; hidden without a fit
    QWidget* plotHeading_;
    QBoxLayout* sections_;
    ThresholdPlot* plot_;
    QLabel* stepsHeading_;
    StepBars* steps_;
    HistoryLine* historyLine_;
    QLabel* networkLabel_;
    QLabel* modelLabel_;
};

}  // namespace threefold::ui
