#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

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

    /// While that lives, a process whose work has not stopped by itself in some 40 ms, since a
    /// library computes that cannot be asked to, is ended as a cancelled command ends: with the
    /// message and the exit code, once files that are being written are whole. For work that leaves
    /// nothing but such files.
    class AtOnce {
      public:
        /// `tidy` is called before the process is ended, from another thread than the work's.
        explicit AtOnce(Interrupt& interrupt, std::function<void()> tidy = {})
            : interrupt_(interrupt) {
            interrupt.tidy_ = std::move(tidy);
            interrupt.atOnce_ = true;
        }
        ~AtOnce() { interrupt_.atOnce_ = false; }
        AtOnce(const AtOnce&) = delete;
        AtOnce& operator=(const AtOnce&) = delete;

      private:
        Interrupt& interrupt_;
    };

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
    std::atomic<bool> atOnce_ = false;
    std::function<void()> tidy_;
    sigset_t watched_;
    FileDescriptor signals_;
    FileDescriptor ending_;
    BlockedSignals blocked_;
    std::thread watcher_;
};

}  // namespace threefold
