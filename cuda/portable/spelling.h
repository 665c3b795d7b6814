#pragma once

/// CUDA's words, so that one source is a kernel for nvcc and plain C++ for the tests
/// (THREEFOLD_EMULATION) or for ordinary code that shares a kernel's arithmetic.
///
/// THREEFOLD_DEVICE stands in front of an inline function that kernels and ordinary code both call,
/// THREEFOLD_DEVICE_CALL of one that only kernels call, and that takes no registers of theirs until
/// they do.

#if defined(__CUDACC__)

#define THREEFOLD_DEVICE __host__ __device__ __forceinline__
#define THREEFOLD_DEVICE_CALL __device__ __noinline__

#else

#define THREEFOLD_DEVICE inline
#define THREEFOLD_DEVICE_CALL inline

#if defined(THREEFOLD_EMULATION)
// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// NOLINTEND(bugprone-reserved-identifier)
#endif

#endif
