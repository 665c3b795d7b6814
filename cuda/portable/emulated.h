#pragma once

#if !defined(THREEFOLD_EMULATION)
#error "Only for kernels that are compiled as plain C++"
#endif

#include <cstddef>

#include "cuda/portable/vectors.h"

/// What the other headers of this folder need from the emulator (tests/cuda/emulation), which runs
/// the threads of a block as fibres of one thread of the operating system. Not for kernels.
namespace threefold::cuda::emulation {

/// Where in a source a thread waits: told when it waits in vain.
struct Place {
    const char* file;
    int line;
};

/// How a thread of a kernel is called by the emulator: `kernel` behind a pointer.
struct Body {
    void (*call)(void* context);
    void* context;
};

struct Shape {
    dim3 grid;
    dim3 block;
    std::size_t sharedBytes;
    bool cooperative;
};

/// Runs all threads of all blocks to their end. Throws what a thread throws, or EmulationError
/// (tests/cuda/emulation/emulator.h) where CUDA would hang or refuse the shape.
void runKernel(const Shape& shape, Body body);

/// Most blocks that a cooperative launch may have here.
int mostCooperativeBlocks(int threads, std::size_t sharedBytes);

/// The block's dynamic shared memory.
std::byte* sharedMemory();

/// __syncthreads().
void meetBlock(Place place);
/// All threads of a cooperative launch.
void meetGrid(Place place);

/// All lanes of `mask` meet; `combine` is then called once with every lane's `mine` (null for lanes
/// outside the mask), reads and writes there, and all lanes go on. `what` names the operation.
using Combine = void (*)(void* const* lanes, unsigned mask);
void meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place);

/// An asynchronous copy of `bytes` to shared memory, zeros where `from` is null. What is there is
/// poisoned until the thread has waited for it.
void copyLater(void* to, const void* from, int bytes, Place place);
void commitCopies();
/// Until at most `pending` of the thread's committed groups are under way.
void waitCopies(int pending);

/// Throws unless [address, address + bytes) lies in the block's shared memory and is aligned.
void requireShared(const void* address, std::size_t bytes, std::size_t alignment, const char* what,
                   Place place);

}  // namespace threefold::cuda::emulation
