// The search in plain vector code, compiled once for each instruction set
// (engine/compute/variants.h).
#define THREEFOLD_LANES (THREEFOLD_REGISTER_BYTES / 4)  // floats

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/fitting/simd/vertex_search.h"

namespace threefold::simd {
namespace {

constexpr std::size_t kLanes = THREEFOLD_LANES;
static_assert(kSearchLanes % kLanes == 0);

using Vec = float __attribute__((vector_size(4 * THREEFOLD_LANES)));
// Anywhere in memory; GCC 12 would copy one of 32 bytes in halves, by way of the stack.
using Unaligned = float __attribute__((vector_size(4 * THREEFOLD_LANES), aligned(4), may_alias));
using Indices = std::int32_t __attribute__((vector_size(4 * THREEFOLD_LANES)));

/// The lesser; `b` where one is not a number.
inline Vec lesser(Vec a, Vec b) {
#if THREEFOLD_LANES == 16
    // The unmasked intrinsic makes GCC 12 warn about its own header.
    return _mm512_maskz_min_ps(0xFFFF, a, b);
#elif THREEFOLD_LANES == 8
    return _mm256_min_ps(a, b);
#elif defined(__x86_64__)
    return _mm_min_ps(a, b);
#else
    return a < b ? a : b;
#endif
}

/// Places that share the loads of the vertices.
constexpr std::size_t kTogether = 4;

template <std::size_t kPlaces>
void findSome(const float* const* vertices, std::size_t padded, const float* places,
              std::uint32_t* where) {
    Vec least[kPlaces];
    Indices nearest[kPlaces];
    Indices index;
    for (std::size_t lane = 0; lane < kLanes; ++lane) index[lane] = static_cast<int>(lane);
    for (std::size_t p = 0; p < kPlaces; ++p) {
        least[p] = Vec{} + __builtin_inff();
        nearest[p] = Indices{};
    }
    for (std::size_t v = 0; v < padded; v += kLanes) {
        Vec vertex[kSearchAxes];
        for (std::size_t axis = 0; axis < kSearchAxes; ++axis)
            vertex[axis] = *reinterpret_cast<const Unaligned*>(vertices[axis] + v);
        for (std::size_t p = 0; p < kPlaces; ++p) {
            const float* place = places + p * kSearchAxes;
            Vec score = (vertex[0] - place[0]) * (vertex[0] - place[0]);
            for (std::size_t axis = 1; axis < kSearchAxes; ++axis)
                score += (vertex[axis] - place[axis]) * (vertex[axis] - place[axis]);
            const Indices nearer = score < least[p];
            nearest[p] = nearer ? index : nearest[p];
            least[p] = lesser(score, least[p]);
        }
        index += static_cast<int>(kLanes);
    }
    for (std::size_t p = 0; p < kPlaces; ++p) {
        float of[kLanes];
        std::int32_t at[kLanes];
        __builtin_memcpy(of, &least[p], sizeof(of));
        __builtin_memcpy(at, &nearest[p], sizeof(at));
        std::size_t best = 0;
        for (std::size_t lane = 1; lane < kLanes; ++lane) {
            const bool earlier = of[lane] == of[best] && at[lane] < at[best];
            if (of[lane] < of[best] || earlier) best = lane;
        }
        where[p] = static_cast<std::uint32_t>(at[best]);
    }
}

void find(const float* const* vertices, std::size_t padded, const float* places, std::size_t count,
          std::uint32_t* where) {
    std::size_t i = 0;
    for (; i + kTogether <= count; i += kTogether)
        findSome<kTogether>(vertices, padded, places + i * kSearchAxes, where + i);
    for (; i < count; ++i) findSome<1>(vertices, padded, places + i * kSearchAxes, where + i);
}

}  // namespace

const VertexSearch THREEFOLD_VARIANT::kVertexSearch{THREEFOLD_VARIANT_NAME, find};

}  // namespace threefold::simd
