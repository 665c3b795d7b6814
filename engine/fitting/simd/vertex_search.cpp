#include "engine/fitting/simd/vertex_search.h"

#include "engine/compute/variants.h"

namespace threefold::simd {

extern const VertexSearch kPortableVertexSearch, kAvx2VertexSearch, kAvx512VertexSearch;

std::span<const VertexSearch* const> availableVertexSearches() {
    return runnableVariants<kPortableVertexSearch, kAvx2VertexSearch, kAvx512VertexSearch>();
}

}  // namespace threefold::simd
