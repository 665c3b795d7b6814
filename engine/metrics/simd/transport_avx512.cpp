#define THREEFOLD_TRANSPORT kAvx512Transport
#define THREEFOLD_TRANSPORT_NAME "avx512"
#define THREEFOLD_LANES 16
#include "engine/metrics/simd/transport.inl"
