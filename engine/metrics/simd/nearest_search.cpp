#include "engine/metrics/simd/nearest_search.h"

#include <vector>

#include "engine/compute/instruction_sets.h"

namespace threefold::simd {

extern const NearestSearch kPortableSearch;
#if defined(__x86_64__)
extern const NearestSearch kAvx512Search;
extern const NearestSearch kAvx2Search;
#endif

std::span<const NearestSearch* const> availableSearches() {
    static const std::vector<const NearestSearch*> available = [] {
        std::vector<const NearestSearch*> list;
#if defined(__x86_64__)
        if (runsAvx512()) list.push_back(&kAvx512Search);
        if (runsAvx2()) list.push_back(&kAvx2Search);
#endif
        list.push_back(&kPortableSearch);
        return list;
    }();
    return available;
}

}  // namespace threefold::simd
