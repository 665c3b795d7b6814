#pragma once

#include <cstddef>

#include "cuda/portable/spelling.h"
#if defined(THREEFOLD_EMULATION) && !defined(__CUDACC__)
#include "cuda/portable/emulated.h"
#endif

#if defined(__CUDACC__) || defined(THREEFOLD_EMULATION)

namespace threefold::cuda {

/// The block's dynamic shared memory from `byteOffset` on: as large as the launch requested,
/// aligned to 1024 bytes. The emulator fills it with NaN (every byte 0xff) when a block begins; the
/// address sanitizer knows its end.
template <class T>
__device__ __forceinline__ T* sharedMemory(std::size_t byteOffset = 0) {
#if defined(__CUDACC__)
    extern __shared__ __align__(1024) unsigned char threefoldSharedMemory[];
    return reinterpret_cast<T*>(threefoldSharedMemory + byteOffset);
#else
    return reinterpret_cast<T*>(emulation::sharedMemory() + byteOffset);
#endif
}

}  // namespace threefold::cuda

#endif
