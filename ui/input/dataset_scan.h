#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "engine/sample/data_set.h"
#include "ui/document/background.h"

namespace threefold::ui {

/// Scans a data set's folders in the background. Signals come on the window's thread. The
/// destructor cancels and does not wait.
class DatasetScan : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    /// Ends the previous scan, which signals nothing more.
    void start(const std::filesystem::path& root);
    /// finished() follows.
    void cancel() { newest_.cancel(); }
    bool running() const { return running_; }

  Q_SIGNALS:
    void found(const std::vector<threefold::DataSetItem>& items);
    void finished();

  private:
    NewestRequest newest_;
    int scans_ = 0;
    bool running_ = false;
};

}  // namespace threefold::ui
