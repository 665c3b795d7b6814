#define THREEFOLD_KERNELS kAvx2
#define THREEFOLD_KERNELS_NAME "avx2"
#define THREEFOLD_LANES 8
#define THREEFOLD_TOGETHER 8
#include "engine/network/simd/kernels.inl"
