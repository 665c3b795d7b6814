#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

#include "engine/formats/bytes/file_bytes.h"

namespace threefold {

/// While it lives, Ctrl-C (SIGINT, SIGTERM, SIGHUP) requests a stop instead of ending the process;
/// the second one ends it at once. A signal that was ignored stays ignored. Threads that exist
/// already would still be ended by the first one: make it before any other thread starts.
class Interrupt {
  public:
    /// Throws IoError where the system has no descriptor left, std::system_error where it has no
    /// thread left. Then signals end the process as before.
    Interrupt();
    ~Interrupt();

    std::stop_token token() const { return stop_.get_token(); }
    bool requested() const { return stop_.stop_requested(); }

  private:
    /// Blocks signals in this thread and in those that it starts, for as long as it lives.
    class BlockedSignals {
      public:
        explicit BlockedSignals(const sigset_t& signals) {
            pthread_sigmask(SIG_BLOCK, &signals, &before_);
        }
        ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
        BlockedSignals(const BlockedSignals&) = delete;
        BlockedSignals& operator=(const BlockedSignals&) = delete;

      private:
        sigset_t before_{};
    };

    void watch();

    std::stop_source stop_;
    sigset_t watched_;
    FileDescriptor signals_;
    FileDescriptor ending_;
    BlockedSignals blocked_;
    std::thread watcher_;
};

}  // namespace threefold
