#pragma once

#include <QBoxLayout>
#include <QTabBar>
#include <QToolButton>

#include "ui/document/measured_meshes.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/stage_bars.h"
#include "ui/run/worker.h"

namespace threefold::ui {

class BoundedScroll;
struct WindowParts;

/// The right side: how good the meshes are, where the time went, and what computed them.
class Inspector : public QWidget {
    Q_OBJECT

  public:
    explicit Inspector(QWidget* parent = nullptr);

    void setResult(const Result& result, const StageHistory& history);
    /// What the result's fit came to; hidden without one.
    const QLabel& fit() const { return *fit_; }
    /// Table, plot and the note below them.
    void setMeasures(const MeasuredMeshes& measured);
    void setBackend(const BackendInfo& backend);
    /// Dims what the running reconstruction will replace.
    void setStale(bool stale);
    /// In a small window its sections are tabs, one at a time.
    void setFolded(bool folded);
    const QTabBar& tabs() const { return *tabs_; }

    MeasuresTable& measures() { return *measures_; }
    QToolButton& protocolButton() { return *protocolButton_; }
    /// The protocol, and why a mesh has no numbers.
    const QLabel& problems() const { return *problems_; }
    const QLabel& stagesHeading() const { return *stagesHeading_; }
    /// Adds a section between the measures and the stages.
    void addSection(QWidget& section) { sections_->addWidget(&section); }
    ThresholdPlot& plot() { return *plot_; }

  private:
    void addPage(const QString& title, QBoxLayout* content);
    void turn();

    QTabBar* tabs_;
    std::vector<QWidget*> pages_;
    bool folded_ = false;
    QToolButton* protocolButton_;
    MeasuresTable* measures_;
    BoundedScroll* measuresScroll_;
    QLabel* problems_;
    QLabel* noTruth_;
    QLabel* fit_;
    QWidget* plotHeading_;
    QBoxLayout* sections_;
    ThresholdPlot* plot_;
    QLabel* stagesHeading_;
    StageBars* stages_;
    HistoryLine* historyLine_;
    QLabel* backend_;
    QLabel* model_;
};

/// The feature that measures the meshes for the inspector, copies and exports the table.
void addMeasures(const WindowParts& parts, Inspector& inspector);

}  // namespace threefold::ui
