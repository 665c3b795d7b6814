#define THREEFOLD_SEARCH kAvx512VertexSearch
#define THREEFOLD_SEARCH_NAME "avx512"
#define THREEFOLD_LANES 16
#include "engine/fitting/simd/vertex_search.inl"
