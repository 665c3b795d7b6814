#include "app/console/interrupt.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <initializer_list>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "engine/formats/bytes/file_descriptor.h"

namespace threefold {
namespace {

/// Signals that are ignored already (nohup, a background job of a script) stay ignored.
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

[[noreturn]] void fail() {
    failIo("Ctrl-C", "cannot be watched for", errno, "Raise the limits that `ulimit -a` shows.");
}

}  // namespace

Interrupt::Interrupt() {
    const sigset_t watched = watchedSignals();
    signals_ = signalfd(-1, &watched, SFD_CLOEXEC);
    if (signals_ < 0) fail();
    ending_ = eventfd(0, EFD_CLOEXEC);
    if (ending_ < 0) {
        close(signals_);
        fail();
    }
    pthread_sigmask(SIG_BLOCK, &watched, &maskBefore_);
    watcher_ = std::thread([this, watched] { watch(watched); });
}

Interrupt::~Interrupt() {
    const std::uint64_t one = 1;
    // Cannot fail: an eventfd takes 2^64 - 2 of these before it blocks.
    [[maybe_unused]] const ssize_t written = write(ending_, &one, sizeof one);
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &maskBefore_, nullptr);
    close(ending_);
    close(signals_);
}

void Interrupt::watch(const sigset_t& watched) {
    std::array<pollfd, 2> waits{pollfd{ending_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
    while (poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
    }
    if ((waits[1].revents & POLLIN) == 0) return;
    signalfd_siginfo received{};
    if (read(signals_, &received, sizeof received) < 0) return;
    stop_.request_stop();
    // From here on one thread takes these signals as usual: the second Ctrl-C ends the process.
    pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);
    while (poll(waits.data(), 1, -1) < 0 && errno == EINTR) {
    }
}

}  // namespace threefold
