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

/// Element of the list that the signal handler walks. Slots are used again and never freed: data
/// that a signal handler reads must outlive every thread.
struct MappingGuard::Slot {
    std::atomic<bool> taken = true;
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0;  ///< 0: guards nothing now
    std::atomic<bool> damaged = false;
    Slot* next = nullptr;
};

namespace {

using GuardSlot = MappingGuard::Slot;

/// A handler has no other way to its data than through globals.
std::atomic<GuardSlot*>& guardSlots() {
    static std::atomic<GuardSlot*> first = nullptr;
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

/// Puts zeros in place of the rest of the mapping that holds `address`. False if none does.
bool putZeros(std::uintptr_t address) {
    for (GuardSlot* slot = guardSlots(); slot != nullptr; slot = slot->next) {
        const std::uintptr_t end = slot->end;
        if (address < slot->begin || address >= end) continue;
        const std::uintptr_t page = address / pageSize() * pageSize();
        slot->damaged = true;
        return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

void onBusError(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    // A signal that a process sent has no address.
    const bool mended =
        info->si_code > 0 && putZeros(reinterpret_cast<std::uintptr_t>(info->si_addr));
    errno = error;
    if (mended) return;
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
        pageSize();  // made before a handler needs them
        guardSlots();
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &handlerBefore());
    });
}

GuardSlot& freeSlot() {
    for (GuardSlot* slot = guardSlots(); slot != nullptr; slot = slot->next) {
        bool taken = false;
        if (slot->taken.compare_exchange_strong(taken, true)) return *slot;
    }
    auto* const slot = new GuardSlot;
    slot->next = guardSlots();
    while (!guardSlots().compare_exchange_weak(slot->next, slot)) {
    }
    return *slot;
}

}  // namespace

MappingGuard::MappingGuard(std::span<const std::byte> mapping) {
    installHandler();
    slot_ = &freeSlot();
    slot_->damaged = false;
    slot_->begin = reinterpret_cast<std::uintptr_t>(mapping.data());
    slot_->end = slot_->begin + mapping.size();
}

void MappingGuard::release() {
    if (slot_ == nullptr) return;
    slot_->end = 0;
    slot_->taken = false;
    slot_ = nullptr;
}

MappingGuard::MappingGuard(MappingGuard&& other) noexcept
    : slot_(std::exchange(other.slot_, nullptr)) {}

MappingGuard& MappingGuard::operator=(MappingGuard&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
}

bool MappingGuard::isDamaged() const {
    return slot_ != nullptr && slot_->damaged;
}

}  // namespace threefold
