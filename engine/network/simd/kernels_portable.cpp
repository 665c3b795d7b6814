#define THREEFOLD_KERNELS kPortable
#define THREEFOLD_KERNELS_NAME "portable"
#define THREEFOLD_LANES 4
#define THREEFOLD_TOGETHER 8
#include "engine/network/simd/kernels.inl"
