#define THREEFOLD_SEARCH kAvx2Search
#define THREEFOLD_SEARCH_NAME "avx2"
#define THREEFOLD_LANES 4
#include "engine/metrics/simd/nearest_search.inl"
