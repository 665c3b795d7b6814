#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <QObject>

#include "engine/log.h"

namespace threefold::ui {

/// One logged line.
struct LogEntry {
    std::size_t number = 0;        ///< from 1, unique within the process
    qint64 millisecondsOfDay = 0;  ///< local time
    LogLevel level = LogLevel::info;
    std::string text;
};

/// The newest kMaxEntries logged lines. Thread-safe.
class LogStore : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMaxEntries = 5000;

    void add(LogLevel level, std::string_view text);
    /// Entries with a number above `after`, oldest first.
    std::vector<LogEntry> since(std::size_t after) const;

    /// A log function that adds each line to `store`, then calls `next` (may be empty).
    static LogFunction teeInto(std::shared_ptr<LogStore> store, LogFunction next);

  Q_SIGNALS:
    /// Lines were added. add() emits this on its caller's thread, at most once until the next
    /// since().
    void entriesAdded();

  private:
    mutable std::mutex mutex_;
    std::deque<LogEntry> entries_;
    std::size_t lastNumber_ = 0;
    mutable bool announced_ = false;  ///< entriesAdded() was emitted since the last since()
};

}  // namespace threefold::ui
