#define THREEFOLD_SEARCH kPortableVertexSearch
#define THREEFOLD_SEARCH_NAME "portable"
#define THREEFOLD_LANES 4
#include "engine/fitting/simd/vertex_search.inl"
