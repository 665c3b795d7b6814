#pragma once

#include <filesystem>

#include <QObject>

#include "ui/batch/batch_run.h"
#include "ui/shell/window_parts.h"

class QDockWidget;

namespace threefold::ui {

class BatchPanel;
class DatasetBrowser;

/// Evaluating many items in the background, in a dock that comes when it is first used.
class BatchFeature : public QObject {
    Q_OBJECT

  public:
    /// `browser` says what "the whole data set" is, and must outlive it.
    BatchFeature(const WindowParts& parts, DatasetBrowser& browser);

    /// A test list (.txt) or a folder of items, under the published protocol; nothing is kept.
    void evaluate(const std::filesystem::path& source);
    void evaluate(BatchPlan plan);
    BatchRun& run() { return run_; }
    BatchPanel& panel() { return *panel_; }
    QDockWidget& dock() { return *dock_; }

  private:
    /// Which items, how and where to; `source` chosen already unless it is empty.
    void ask(const std::filesystem::path& source);
    void openRow(int row);
    void save();

    WindowParts parts_;
    DatasetBrowser& browser_;
    BatchRun run_;
    quint64 rowsAsked_ = 0;
    QDockWidget* dock_;
    BatchPanel* panel_;
};

}  // namespace threefold::ui
