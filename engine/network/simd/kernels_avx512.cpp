#define THREEFOLD_KERNELS kAvx512
#define THREEFOLD_KERNELS_NAME "avx512"
#define THREEFOLD_LANES 16
#define THREEFOLD_TOGETHER 12
#include "engine/network/simd/kernels.inl"
