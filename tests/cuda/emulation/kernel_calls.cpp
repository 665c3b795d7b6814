#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "tests/cuda/emulation/emulated/calls.h"
#include "tests/cuda/emulation/emulator.h"
#include "tests/cuda/emulation/run.h"

/// Implements the functions that the threads of a kernel call (emulated/calls.h).
namespace threefold::cuda::emulation {
namespace {

Run& run(const char* what) {
    if (Run* const running = Run::running()) return *running;
    throw EmulationError({.subject = what,
                          .place = "",
                          .problem = "called outside of a kernel",
                          .remedy = "Call it in a kernel that is launched."});
}

}  // namespace

std::byte* sharedMemory() {
    return run("sharedMemory").current().block->shared.data();
}

void meetBlock(Place place) {
    run("__syncthreads").meetBlock(place);
}

void meetGrid(Place place) {
    run("gridBarrier").meetGrid(place);
}

void meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place) {
    run(what).meetWarp(what, mask, mine, combine, place);
}

void requireShared(const void* address, std::size_t bytes, std::size_t alignment, const char* what,
                   Place place) {
    Run& self = run(what);
    const auto begin = reinterpret_cast<std::uintptr_t>(self.current().block->shared.data());
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at < begin || at - begin + bytes > self.shape().sharedBytes) {
        self.fail(what, fmt::format("{} bytes at {} are not all in the block's shared memory of {} "
                                    "bytes: they begin at byte {}",
                                    bytes, describe(place), self.shape().sharedBytes,
                                    static_cast<std::intptr_t>(at - begin)));
    }
    if (at % alignment != 0) {
        self.fail(what, fmt::format("byte {} of shared memory at {} is not aligned to {} bytes",
                                    at - begin, describe(place), alignment));
    }
}

void copyLater(void* to, const void* from, int bytes, Place place) {
    const auto size = static_cast<std::size_t>(bytes);
    requireShared(to, size, size, "copyAsync", place);
    Run& self = run("copyAsync");
    if (reinterpret_cast<std::uintptr_t>(from) % size != 0) {
        self.fail("copyAsync", fmt::format("the source at {} is not aligned to {} bytes",
                                           describe(place), bytes));
    }
    Thread& thread = self.current();
    PendingCopy copy{to, bytes, thread.openGroup, {}};
    if (from != nullptr) std::memcpy(copy.data.data(), from, size);
    thread.copies.push_back(copy);
    std::memset(to, kPoison, size);
}

void commitCopyGroup() {
    ++run("commitCopyGroup").current().openGroup;
}

void waitCopyGroups(int pending) {
    Thread& thread = run("waitCopyGroups").current();
    auto& copies = thread.copies;
    const auto firstKept = std::find_if(copies.begin(), copies.end(), [&](const PendingCopy& copy) {
        return copy.group + static_cast<std::uint64_t>(pending) >= thread.openGroup;
    });
    std::for_each(copies.begin(), firstKept, [](const PendingCopy& copy) {
        std::memcpy(copy.to, copy.data.data(), static_cast<std::size_t>(copy.bytes));
    });
    copies.erase(copies.begin(), firstKept);
}

}  // namespace threefold::cuda::emulation
