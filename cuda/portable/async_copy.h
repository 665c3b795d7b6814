#pragma once

#include "cuda/portable/function_qualifiers.h"
#if defined(THREEFOLD_EMULATION)
#include <emulated/async_copy.h>
#endif

/// Copies from global to shared memory that run while the thread continues (cp.async). A thread
/// sees its own copies after waitCopyGroups(), other threads of the block after a barrier that
/// follows this wait. On compute capability 7.5 the copy is synchronous. In the emulator the
/// destination holds NaN until the wait.

#if defined(__CUDACC__)

namespace threefold::cuda {

/// Copies 8 or 16 bytes; both addresses must be aligned to `bytes`. Writes zeros if not `valid`;
/// the source is then not read, but must still be a valid pointer.
template <int bytes>
__device__ __forceinline__ void copyAsync(void* shared, const void* global, bool valid = true) {
    static_assert(bytes == 8 || bytes == 16);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const int read = valid ? bytes : 0;
    if constexpr (bytes == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global),
                     "r"(read)
                     : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global),
                     "n"(bytes), "r"(read)
                     : "memory");
    }
#else
    if constexpr (bytes == 16) {
        *static_cast<uint4*>(shared) =
            valid ? *static_cast<const uint4*>(global) : make_uint4(0, 0, 0, 0);
    } else {
        *static_cast<uint2*>(shared) =
            valid ? *static_cast<const uint2*>(global) : make_uint2(0, 0);
    }
#endif
}

/// Commits the copies since the last commit as one group, which is empty if there were none.
__device__ __forceinline__ void commitCopyGroup() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most the newest `pending` groups are unfinished.
template <int pending>
__device__ __forceinline__ void waitCopyGroups() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

}  // namespace threefold::cuda

#endif
