#pragma once

#include "cuda/portable/function_qualifiers.h"
#if defined(THREEFOLD_EMULATION)
#include <emulated/thread.h>
#endif

/// Indices of threads, barriers, exchange between the lanes of a warp, atomics, shared memory.
/// Under nvcc all but gridBarrier() and sharedMemory() are CUDA's own. The emulator reports an
/// error where CUDA leaves the result undefined: a mask must name lanes that exist and take part.

#if defined(__CUDACC__)

#include <cooperative_groups.h>

#include <cstddef>

namespace threefold::cuda {

/// Barrier of all threads of all blocks of a cooperative launch; no thread may have returned.
/// Writes to global memory before the barrier are visible after it.
__device__ __forceinline__ void gridBarrier() {
    cooperative_groups::this_grid().sync();
}

/// The block's dynamic shared memory from `byteOffset` on: as large as the launch requested,
/// aligned to 1024 bytes. The emulator fills it with NaN (every byte 0xff) when a block begins; the
/// address sanitizer knows its end.
template <class T>
__device__ __forceinline__ T* sharedMemory(std::size_t byteOffset = 0) {
    extern __shared__ __align__(1024) unsigned char threefoldSharedMemory[];
    return reinterpret_cast<T*>(threefoldSharedMemory + byteOffset);
}

}  // namespace threefold::cuda

#endif
