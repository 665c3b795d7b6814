#define THREEFOLD_SEARCH kAvx2VertexSearch
#define THREEFOLD_SEARCH_NAME "avx2"
#define THREEFOLD_LANES 8
#include "engine/fitting/simd/vertex_search.inl"
