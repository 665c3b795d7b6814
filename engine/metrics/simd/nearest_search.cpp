#include "engine/metrics/simd/nearest_search.h"

#include "engine/compute/variants.h"

namespace threefold::simd {

extern const NearestSearch kPortableSearch, kAvx2Search, kAvx512Search;

std::span<const NearestSearch* const> availableSearches() {
    return simd::runnableVariants<kPortableSearch, kAvx2Search, kAvx512Search>();
}

}  // namespace threefold::simd
