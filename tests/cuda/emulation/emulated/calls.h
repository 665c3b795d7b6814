#pragma once

#if !defined(THREEFOLD_EMULATION)
#error "Only for kernels that are compiled as plain C++"
#endif

#include <cstddef>

#include "tests/cuda/emulation/emulated/vectors.h"

/// Functions of the emulator that cuda/portable and the other headers of this folder call; kernels
/// do not. The emulator runs the threads of a block as fibres of one thread of the operating
/// system.
namespace threefold::cuda::emulation {

/// Place in the source where a thread waits; reported if it waits forever.
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

/// Maximum number of blocks of a cooperative launch.
int maxCooperativeBlocks(int threads, std::size_t sharedBytes);

/// The block's dynamic shared memory.
std::byte* sharedMemory();

/// __syncthreads().
void meetBlock(Place place);
/// Barrier of all threads of a cooperative launch.
void meetGrid(Place place);

/// Combines the values of a warp's lanes, in place; null for lanes outside the mask.
using Combine = void (*)(void* const* lanes, unsigned mask);
/// Waits for all lanes of `mask`, then calls `combine` once with every lane's `mine`, then lets all
/// lanes continue. `what` names the operation.
void meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place);

/// Copies `bytes` to shared memory asynchronously, zeros if `from` is null. The destination is
/// poisoned until the thread has waited.
void copyLater(void* to, const void* from, int bytes, Place place);
void commitCopyGroup();
/// Waits until at most `pending` of the thread's committed groups are unfinished.
void waitCopyGroups(int pending);

/// Throws unless [address, address + bytes) lies in the block's shared memory and is aligned.
void requireShared(const void* address, std::size_t bytes, std::size_t alignment, const char* what,
                   Place place);

}  // namespace threefold::cuda::emulation
