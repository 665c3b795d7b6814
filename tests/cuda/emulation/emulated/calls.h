#pragma once

#if !defined(THREEFOLD_EMULATION)
#error "Only for kernels that are compiled as plain C++"
#endif

#include <cstddef>

#include "tests/cuda/emulation/emulated/vectors.h"

/// Functions of the emulator that cuda/portable and the other headers of this folder call; kernels
/// do not call them. The emulator runs the threads of a block as fibres of one thread of the
/// operating system.
namespace threefold::cuda::emulation {

/// Place in the source where a thread calls the emulator, for error messages.
struct Place {
    const char* file;
    int line;
};

/// Call of a kernel with its arguments, for one thread.
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

/// Runs all threads of all blocks to their end. Rethrows the exception of a thread; throws
/// EmulationError (tests/cuda/emulation/emulator.h) if CUDA would hang or refuse the shape.
void runKernel(const Shape& shape, Body body);

/// Maximum number of blocks of a cooperative launch; 0 if a block of this shape does not fit.
int maxCooperativeBlocks(int threads, std::size_t sharedBytes);

/// The block's dynamic shared memory.
std::byte* sharedMemory();

/// Barrier of the block's threads: __syncthreads().
void meetBlock(Place place);
/// Barrier of all threads of a cooperative launch.
void meetGrid(Place place);

/// Combines the values of a warp's lanes in place; pointers of lanes outside the mask are null.
using Combine = void (*)(void* const* lanes, unsigned mask);
/// Waits for all lanes of `mask`, then calls `combine` once with every lane's `mine`, then lets all
/// lanes continue. `what` names the operation.
void meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place);

/// Copies `bytes` bytes to shared memory asynchronously; writes zeros if `from` is null. The
/// destination is poisoned until the thread has waited for the copy.
void copyLater(void* to, const void* from, int bytes, Place place);
void commitCopyGroup();
/// Waits until at most `pending` of the thread's committed groups are unfinished.
void waitCopyGroups(int pending);

/// Throws EmulationError unless [address, address + bytes) lies in the block's shared memory and is
/// aligned.
void requireShared(const void* address, std::size_t bytes, std::size_t alignment, const char* what,
                   Place place);

}  // namespace threefold::cuda::emulation
