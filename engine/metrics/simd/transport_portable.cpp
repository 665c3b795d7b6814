#define THREEFOLD_TRANSPORT kPortableTransport
#define THREEFOLD_TRANSPORT_NAME "portable"
#define THREEFOLD_LANES 4
#include "engine/metrics/simd/transport.inl"
