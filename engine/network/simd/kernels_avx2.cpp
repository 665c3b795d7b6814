#define THREEFOLD_KERNELS kAvx2
#define THREEFOLD_KERNELS_NAME "avx2"
#include "engine/network/simd/kernels.inl"
