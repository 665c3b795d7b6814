#pragma once

#include <stop_token>

namespace threefold::ui {

/// The newest of a series of background tasks. A new task stops the previous task: restart(),
/// cancel() and the destructor request the stop of the running task. Not thread-safe; the tokens
/// are.
class NewestTask {
  public:
    NewestTask() = default;
    NewestTask(const NewestTask&) = delete;
    NewestTask& operator=(const NewestTask&) = delete;
    ~NewestTask() { cancel(); }

    /// Begins another task; returns its token.
    std::stop_token restart() {
        cancel();
        stop_ = {};
        return stop_.get_token();
    }
    void cancel() { stop_.request_stop(); }

  private:
    std::stop_source stop_;
};

}  // namespace threefold::ui
