#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include <QObject>

#include "engine/sample/data_set.h"

namespace threefold::ui {

/// Walks a data set's folders off the window's thread and hands over what it finds bit by bit.
/// Signals come on the thread of this object.
class DatasetScan : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    ~DatasetScan() override;  ///< does not wait

    /// Ends a scan before it, of which nothing more is heard.
    void start(const std::filesystem::path& root);
    /// finished() follows, with what was found until then.
    void cancel();
    bool running() const { return running_; }

  Q_SIGNALS:
    void found(const std::vector<threefold::DataSetItem>& items);
    void finished(bool complete);

  private:
    std::stop_source stop_;
    std::uint64_t run_ = 0;
    bool running_ = false;
};

}  // namespace threefold::ui
