#pragma once

/// In front of an inline function that kernels and ordinary code both call.
#if defined(__CUDACC__)
#define THREEFOLD_DEVICE __host__ __device__ __forceinline__
#else
#define THREEFOLD_DEVICE inline
#endif
