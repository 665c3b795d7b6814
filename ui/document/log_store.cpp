#include "ui/document/log_store.h"

#include <utility>

#include <QTime>

namespace threefold::ui {

void LogStore::add(LogLevel level, std::string_view text) {
    bool notify = false;
    {
        const std::scoped_lock lock(mutex_);
        entries_.push_back(
            {++lastNumber_, QTime::currentTime().msecsSinceStartOfDay(), level, std::string(text)});
        if (entries_.size() > kMaxEntries) entries_.pop_front();
        notify = !std::exchange(announced_, true);
    }
    if (notify) Q_EMIT entriesAdded();
}

std::vector<LogEntry> LogStore::since(std::size_t after) const {
    const std::scoped_lock lock(mutex_);
    announced_ = false;
    const std::size_t first = lastNumber_ - entries_.size();
    const std::size_t skipped = after > first ? after - first : 0;
    if (skipped >= entries_.size()) return {};
    return {entries_.begin() + static_cast<std::ptrdiff_t>(skipped), entries_.end()};
}

LogFunction LogStore::teeInto(std::shared_ptr<LogStore> store, LogFunction next) {
    return
        [store = std::move(store), next = std::move(next)](LogLevel level, std::string_view text) {
            store->add(level, text);
            if (next) next(level, text);
        };
}

}  // namespace threefold::ui
