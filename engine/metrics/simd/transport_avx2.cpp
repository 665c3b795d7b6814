#define THREEFOLD_TRANSPORT kAvx2Transport
#define THREEFOLD_TRANSPORT_NAME "avx2"
#define THREEFOLD_LANES 8
#include "engine/metrics/simd/transport.inl"
