#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "tests/cuda/emulation/emulated/calls.h"
#include "tests/cuda/emulation/fibre.h"
#include "tests/cuda/emulation/sanitizer.h"

/// State of a running block: its memory, its threads, and where they wait.
namespace threefold::cuda::emulation {

inline constexpr int kLanes = 32;
/// Fill byte of unwritten memory, so that an unwritten float of any format is NaN, and an unwritten
/// index is out of range.
inline constexpr int kPoison = 0xff;

/// A block's dynamic shared memory. It ends at the requested size, so that the address sanitizer
/// detects accesses beyond its end; without the sanitizer a canary detects writes there.
class SharedMemory {
  public:
    explicit SharedMemory(std::size_t bytes) : bytes_(bytes) {
        void* memory = nullptr;
        if (::posix_memalign(&memory, 1024, bytes + kCanary) != 0) throw std::bad_alloc();
        memory_.reset(static_cast<std::byte*>(memory));
        std::memset(memory, kPoison, bytes + kCanary);
    }
    std::byte* data() const { return memory_.get(); }
    bool writtenBeyondEnd() const {
        return std::any_of(memory_.get() + bytes_, memory_.get() + bytes_ + kCanary,
                           [](std::byte b) { return b != std::byte{kPoison}; });
    }

  private:
    static constexpr std::size_t kCanary = THREEFOLD_ADDRESS_SANITIZER ? 0 : 256;

    std::size_t bytes_;
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> memory_;
};

struct Block;

struct PendingCopy {
    void* to;
    int bytes;
    std::uint64_t group;
    std::array<std::byte, 16> data;
};

struct Thread {
    enum class State { fresh, ready, waiting, ended };

    Block* block = nullptr;
    unsigned number = 0;  ///< within the block
    uint3 index{};
    State state = State::fresh;
    Fibre* fibre = nullptr;
    const char* waitsIn = "";
    Place waitsAt{};
    std::vector<PendingCopy> copies;
    std::uint64_t openGroup = 0;
    std::exception_ptr error;
};

struct WarpMeeting {
    const char* what;
    unsigned mask;
    unsigned arrived;
    std::array<void*, kLanes> mine;
    std::array<Thread*, kLanes> threads;
};

struct Warp {
    unsigned lanes = 0;  ///< mask of the lanes that exist
    std::vector<WarpMeeting> meetings;
};

struct Block {
    uint3 index{};
    SharedMemory shared;
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::vector<Thread*> atBarrier;  ///< threads that wait in __syncthreads()
    unsigned live = 0;
};

}  // namespace threefold::cuda::emulation
