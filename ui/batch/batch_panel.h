#pragma once

#include <QComboBox>
#include <QProgressBar>
#include <QTableView>
#include <QTimer>

#include "ui/batch/batch_histogram.h"
#include "ui/batch/batch_model.h"
#include "ui/shell/feature_context.h"
#include "ui/style/elided_label.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

/// Panel with the results of a batch evaluation so far (rows, means, a histogram) and its commands.
class BatchPanel : public QWidget {
    Q_OBJECT

  public:
    /// `run` must outlive the panel.
    BatchPanel(const FeatureContext& context, BatchRun& run);
    QSize sizeHint() const override;

    /// Size with the tables but without the histogram, which a low panel hides.
    QSize minimumSizeHint() const override;

    /// Adds a margin and a size grip, by which a window without a frame is resized, or removes
    /// them.
    void setFloating(bool floating);

    QString progressText() const { return progress_->text(); }
    /// Records of the selected rows in the shown order; of all rows if none is selected.
    std::vector<SampleRecord> chosenRecords() const;
    /// chosenRecords() as CSV, for the shown protocol.
    QString csv() const;

  Q_SIGNALS:
    void rowChosen(int row);  ///< index of a record in the run

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* makeHead();
    QWidget* makeTables();
    void makeSampleTable(QWidget& parent);
    void makeMeansTable(QWidget& parent);
    void makeHistogram(QWidget& parent);
    void refresh();
    /// Hides the histogram if the panel is too low for means and histogram.
    void showHistogramIfItFits();
    void refreshHead();
    void refreshProtocols();
    void refreshChoices();  ///< updates which protocols and columns can be chosen
    void refreshButtons();
    QString stateText() const;
    std::size_t protocol() const;  ///< index of the shown protocol
    void choose(const QModelIndex& index) {
        if (index.isValid()) Q_EMIT rowChosen(sorted_.mapToSource(index).row());
    }
    void copy();
    void save();

    FeatureContext context_;
    BatchRun& run_;
    BatchModel model_;
    BatchSort sorted_;
    BatchMeansModel meansModel_;
    bool hasDistances_ = false;  // anyHasDistances() of the records
    QTimer refreshTimer_;        // makes one refresh of the means do for many new rows

    QWidget* gripRow_ = nullptr;
    ElidedLabel* name_ = nullptr;
    QComboBox* protocol_ = nullptr;
    ElidedLabel* settingsLabel_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QLabel* progress_ = nullptr;
    QToolButton* pause_ = nullptr;
    QToolButton* cancel_ = nullptr;
    QToolButton* report_ = nullptr;
    QToolButton* copy_ = nullptr;
    QToolButton* save_ = nullptr;
    QTableView* table_ = nullptr;
    QTableView* means_ = nullptr;
    QComboBox* histogramColumn_ = nullptr;
    QWidget* histogramRow_ = nullptr;  // the histogram and its choice of column
    BatchHistogram* histogram_ = nullptr;
};

}  // namespace threefold::ui
