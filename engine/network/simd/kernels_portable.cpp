#define THREEFOLD_KERNELS kPortable
#define THREEFOLD_KERNELS_NAME "portable"
#include "engine/network/simd/kernels.inl"
