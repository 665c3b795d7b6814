#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace threefold::ui {

/// Tells when a file has new content. Waits until its size and time stand still, so that a file
/// that is being written, or replaced by a rename, is reported once. GUI thread only.
class FileWatch : public QObject {
    Q_OBJECT

  public:
    explicit FileWatch(QObject* parent);

    /// Watches this file in place of the previous one; empty: none.
    void watch(const std::filesystem::path& file);

  Q_SIGNALS:
    void changed(const std::filesystem::path& file);

  private:
    using Stamp = std::pair<QDateTime, qint64>;  ///< time and size; size −1: no file

    Stamp stamp() const;
    void check();

    /// Null while no file is watched: each watcher takes one of a user's few inotify instances.
    std::unique_ptr<QFileSystemWatcher> watcher_;
    QTimer timer_;
    std::filesystem::path file_;
    Stamp known_;
    Stamp seen_;  // at the last check
};

}  // namespace threefold::ui
