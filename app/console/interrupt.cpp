#include "app/console/interrupt.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "app/console/exit_code.h"
#include "app/console/output.h"
#include "engine/error.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/write_file.h"

namespace threefold {
namespace {

/// Signals to watch. A signal that is ignored already (nohup, a background job of a script) stays
/// ignored.
sigset_t watchedSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction present {};
        sigaction(number, nullptr, &present);
        if (present.sa_handler != SIG_IGN) sigaddset(&set, number);
    }
    return set;
}

/// Throws IoError if `descriptor`, the result of a system call, is -1.
FileDescriptor requireDescriptor(int descriptor) {
    if (descriptor < 0)
        throwIoError("Ctrl-C", "cannot be watched for", errno,
                     "Raise the limits that `ulimit -a` shows.");
    return FileDescriptor(descriptor);
}

[[noreturn]] void endNow(const std::function<void()>& cleanUp) {
    [[maybe_unused]] const auto writesBlocked = blockWrites();  // held until the process ends
    if (cleanUp) cleanUp();
    if (isatty(STDERR_FILENO) == 1) std::fputs("\r\x1b[K", stderr);  // clear the progress line
    spdlog::error("{}", Cancelled().what());
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(ExitCode::failed));
}

}  // namespace

Interrupt::Interrupt()
    : watched_(watchedSignals()),
      signals_(requireDescriptor(signalfd(-1, &watched_, SFD_CLOEXEC))),
      stopEvent_(requireDescriptor(eventfd(0, EFD_CLOEXEC))),
      blocked_(watched_),
      watcher_([this] { watch(); }) {}

Interrupt::~Interrupt() {
    const std::uint64_t one = 1;
    // Cannot fail: an eventfd accepts 2^64 - 2 increments before it blocks.
    [[maybe_unused]] const ssize_t written = write(stopEvent_.get(), &one, sizeof one);
    watcher_.join();
}

void Interrupt::watch() {
    std::array<pollfd, 2> waits{pollfd{stopEvent_.get(), POLLIN, 0},
                                pollfd{signals_.get(), POLLIN, 0}};
    while (poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
    }
    if ((waits[0].revents & POLLIN) != 0) return;
    // Restores the default action of the signals in this thread: a second Ctrl-C then ends the
    // process, and so does the first Ctrl-C if the signalfd cannot be read.
    const auto unblock = [&] { pthread_sigmask(SIG_UNBLOCK, &watched_, nullptr); };
    signalfd_siginfo received{};
    if ((waits[1].revents & POLLIN) == 0 || read(signals_.get(), &received, sizeof received) < 0)
        return unblock();
    stop_.request_stop();
    unblock();
    constexpr int kPatienceMilliseconds = 30, kPollMilliseconds = 10;
    for (int waited = 0;; waited += kPollMilliseconds) {
        if (poll(waits.data(), 1, kPollMilliseconds) > 0) return;
        if (waited < kPatienceMilliseconds) continue;
        const std::scoped_lock lock(exitMutex_);
        if (mayExit_) endNow(cleanUp_);
    }
}

}  // namespace threefold
