#pragma once

#include <QDockWidget>

#include "ui/batch/batch_dialog.h"
#include "ui/batch/batch_panel.h"
#include "ui/document/newest_task.h"
#include "ui/input/data_set_browser.h"

namespace threefold::ui {

/// Batch evaluation in the background, with a dock that opens on first use.
class BatchFeature : public QObject {
    Q_OBJECT

  public:
    /// `run` evaluates; `browser` provides the data set for "Evaluate the whole data set". Both
    /// must outlive this object.
    BatchFeature(const FeatureContext& context, BatchRun& run, DataSetBrowser& browser);

    /// Evaluates a test list (.txt) or a folder of samples by the published protocol; results are
    /// not saved.
    void evaluate(const std::filesystem::path& source);
    void evaluate(BatchPlan plan);
    /// Shows the dialog; fills in `source` unless it is empty.
    void openDialog(const std::filesystem::path& source);
    BatchRun& run() { return run_; }

  private:
    void openRow(int row);

    FeatureContext context_;
    BatchRun& run_;
    DataSetBrowser& browser_;
    NewestTask rowRequest_;
    QPointer<BatchDialog> dialog_;
    QDockWidget* dock_;
    BatchPanel* panel_;
};

/// Adds the batch evaluation with its dock and commands. For `run` and `browser` see the
/// constructor.
BatchFeature& addBatchFeature(const FeatureContext& context, BatchRun& run,
                              DataSetBrowser& browser);

}  // namespace threefold::ui
