#pragma once

/// CUDA's function qualifiers as macros, empty in plain C++: one source is a kernel for nvcc, and
/// plain C++ for the tests (THREEFOLD_EMULATION) and for host code that shares a kernel's
/// arithmetic.
///
/// THREEFOLD_HOST_DEVICE marks an inline function that kernels and host code call.
/// THREEFOLD_DEVICE_NOINLINE marks one that only kernels call and that is not inlined, so that its
/// registers are needed only during the call.

#if defined(__CUDACC__)

#define THREEFOLD_HOST_DEVICE __host__ __device__ __forceinline__
#define THREEFOLD_DEVICE_NOINLINE __device__ __noinline__

#else

#define THREEFOLD_HOST_DEVICE inline
#define THREEFOLD_DEVICE_NOINLINE inline

#if defined(THREEFOLD_EMULATION)
#include <emulated/function_qualifiers.h>
#endif

#endif
