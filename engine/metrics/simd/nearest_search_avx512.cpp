#define THREEFOLD_SEARCH kAvx512Search
#define THREEFOLD_SEARCH_NAME "avx512"
#define THREEFOLD_LANES 8
#include "engine/metrics/simd/nearest_search.inl"
