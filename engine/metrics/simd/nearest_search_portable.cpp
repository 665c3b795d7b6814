#define THREEFOLD_SEARCH kPortableSearch
#define THREEFOLD_SEARCH_NAME "portable"
#define THREEFOLD_LANES 2
#include "engine/metrics/simd/nearest_search.inl"
