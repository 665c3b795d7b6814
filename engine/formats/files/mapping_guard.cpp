#include "engine/formats/files/mapping_guard.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace threefold {

/// Element of the list that the signal handler walks. Elements are used again and never freed: data
/// that a signal handler reads must outlive every thread.
struct MappingGuard::GuardedRange {
    std::atomic<bool> taken = true;
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0;  ///< 0: the element guards no mapping now
    std::atomic<bool> damaged = false;
    GuardedRange* next = nullptr;
};

namespace {

using GuardedRange = MappingGuard::GuardedRange;

/// A global, as a signal handler can find its data in no other way.
std::atomic<GuardedRange*>& guardedRanges() {
    static std::atomic<GuardedRange*> first = nullptr;
    return first;
}
struct sigaction& handlerBefore() {
    static struct sigaction before {};
    return before;
}
std::uintptr_t pageSize() {
    static const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

/// Replaces the mapping that holds `address` by zeros, from the page of the address to the
/// mapping's end. False if no guarded mapping holds the address, or if the mapping cannot be
/// replaced.
bool replaceByZeros(std::uintptr_t address) {
    for (GuardedRange* range = guardedRanges(); range != nullptr; range = range->next) {
        const std::uintptr_t end = range->end;
        if (address < range->begin || address >= end) continue;
        const std::uintptr_t page = address / pageSize() * pageSize();
        range->damaged = true;
        return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

void onBusError(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    // si_code is 0 or less, and there is no address, if a process sent the signal.
    const bool isHandled =
        info->si_code > 0 && replaceByZeros(reinterpret_cast<std::uintptr_t>(info->si_addr));
    errno = error;
    if (isHandled) return;
    const struct sigaction& before = handlerBefore();
    if ((before.sa_flags & SA_SIGINFO) != 0)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(signal);
    else {
        ::sigaction(signal, &before, nullptr);
        ::raise(signal);  // ends the process once this handler has returned
    }
}

void installHandler() {
    static std::once_flag once;
    std::call_once(once, [] {
        // Initialises the static variables of pageSize() and guardedRanges() before the handler
        // needs them.
        pageSize();
        guardedRanges();
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &handlerBefore());
    });
}

GuardedRange& freeRange() {
    for (GuardedRange* range = guardedRanges(); range != nullptr; range = range->next) {
        bool expected = false;
        if (range->taken.compare_exchange_strong(expected, true)) return *range;
    }
    auto* const range = new GuardedRange;
    range->next = guardedRanges();
    while (!guardedRanges().compare_exchange_weak(range->next, range)) {
    }
    return *range;
}

}  // namespace

MappingGuard::MappingGuard(std::span<const std::byte> mapping) {
    installHandler();
    range_ = &freeRange();
    range_->damaged = false;
    range_->begin = reinterpret_cast<std::uintptr_t>(mapping.data());
    range_->end = range_->begin + mapping.size();
}

void MappingGuard::release() {
    if (range_ == nullptr) return;
    range_->end = 0;
    range_->taken = false;
    range_ = nullptr;
}

MappingGuard::MappingGuard(MappingGuard&& other) noexcept
    : range_(std::exchange(other.range_, nullptr)) {}

MappingGuard& MappingGuard::operator=(MappingGuard&& other) noexcept {
    std::swap(range_, other.range_);
    return *this;
}

bool MappingGuard::isDamaged() const {
    return range_ != nullptr && range_->damaged;
}

}  // namespace threefold
