#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace threefold {

/// While it lives, Ctrl-C (SIGINT, SIGTERM, SIGHUP) asks for a stop instead of ending the process;
/// the second one ends it at once. Make it before other threads start: they inherit the mask.
class Interrupt {
  public:
    /// Throws std::system_error where the system has no descriptor left.
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    bool requested() const { return stop_.stop_requested(); }

  private:
    void watch(const sigset_t& watched);

    std::stop_source stop_;
    sigset_t maskBefore_{};
    int signals_ = -1;
    int ending_ = -1;
    std::thread watcher_;
};

}  // namespace threefold
