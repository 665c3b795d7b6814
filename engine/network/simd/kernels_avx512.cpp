#define THREEFOLD_KERNELS kAvx512
#define THREEFOLD_KERNELS_NAME "avx512"
#include "engine/network/simd/kernels.inl"
