#pragma once

#include <csignal>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/formats/files/file_descriptor.h"

namespace threefold {

/// Scoped handler: Ctrl-C (SIGINT, SIGTERM, SIGHUP) requests a stop instead of ending the process;
/// the second signal ends it at once. Ignored signals stay ignored. Construct before any other
/// thread starts: signals delivered to an earlier thread still end the process.
class Interrupt {
  public:
    /// Throws IoError if no descriptor is available, std::system_error if no thread can be started;
    /// signals then end the process as before.
    Interrupt();
    ~Interrupt();

    std::stop_token token() const { return stop_.get_token(); }
    bool requested() const { return stop_.stop_requested(); }

    /// Scope of work that may be ended at once. If the work has not stopped some 40 ms after a
    /// signal (a library cannot be interrupted), the process ends with the message and the exit
    /// code of a cancelled command, once all files that are being written are complete. Use this
    /// scope only around work whose files are written atomically. Scopes do not nest.
    class ImmediateExit {
      public:
        /// `cleanUp` is called before the process ends, on another thread than the work.
        explicit ImmediateExit(Interrupt& interrupt, std::function<void()> cleanUp = {})
            : interrupt_(interrupt) {
            const std::scoped_lock lock(interrupt.exitMutex_);
            interrupt.cleanUp_ = std::move(cleanUp);
            interrupt.mayExit_ = true;
        }
        ~ImmediateExit() {
            const std::scoped_lock lock(interrupt_.exitMutex_);
            interrupt_.mayExit_ = false;
            interrupt_.cleanUp_ = {};
        }
        ImmediateExit(const ImmediateExit&) = delete;
        ImmediateExit& operator=(const ImmediateExit&) = delete;

      private:
        Interrupt& interrupt_;
    };

  private:
    /// Blocks signals in this thread and in threads that it starts, until destroyed.
    class BlockedSignals {
      public:
        explicit BlockedSignals(const sigset_t& signals) {
            pthread_sigmask(SIG_BLOCK, &signals, &previousMask_);
        }
        ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &previousMask_, nullptr); }
        BlockedSignals(const BlockedSignals&) = delete;
        BlockedSignals& operator=(const BlockedSignals&) = delete;

      private:
        sigset_t previousMask_{};
    };

    void watch();

    std::stop_source stop_;
    std::mutex exitMutex_;
    bool mayExit_ = false;
    std::function<void()> cleanUp_;
    sigset_t watched_;
    FileDescriptor signals_;
    FileDescriptor stopEvent_;
    BlockedSignals blocked_;
    std::thread watcher_;
};

}  // namespace threefold
