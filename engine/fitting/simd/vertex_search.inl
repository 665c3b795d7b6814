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
static_assert(kVertexPadding % kLanes == 0);

using Vec = float __attribute__((vector_size(4 * THREEFOLD_LANES)));
// May be unaligned; GCC 12 would copy an aligned vector of 32 bytes in halves, through the stack.
using Unaligned = float __attribute__((vector_size(4 * THREEFOLD_LANES), aligned(4), may_alias));
using Indices = std::int32_t __attribute__((vector_size(4 * THREEFOLD_LANES)));

/// Minimum; `b` if either is not a number.
inline Vec minimum(Vec a, Vec b) {
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

/// Number of points that share the loads of the vertices.
constexpr std::size_t kPointsAtOnce = 4;

template <std::size_t kPoints>
void findNearest(const float* const* vertices, std::size_t paddedCount, const float* points,
                 std::uint32_t* result) {
    Vec minDistance[kPoints];
    Indices nearest[kPoints];
    Indices index;
    for (std::size_t lane = 0; lane < kLanes; ++lane) index[lane] = static_cast<int>(lane);
    for (std::size_t p = 0; p < kPoints; ++p) {
        minDistance[p] = Vec{} + __builtin_inff();
        nearest[p] = Indices{};
    }
    for (std::size_t v = 0; v < paddedCount; v += kLanes) {
        Vec vertex[kSearchDimensions];
        for (std::size_t axis = 0; axis < kSearchDimensions; ++axis)
            vertex[axis] = *reinterpret_cast<const Unaligned*>(vertices[axis] + v);
        for (std::size_t p = 0; p < kPoints; ++p) {
            const float* point = points + p * kSearchDimensions;
            Vec distance = (vertex[0] - point[0]) * (vertex[0] - point[0]);
            for (std::size_t axis = 1; axis < kSearchDimensions; ++axis)
                distance += (vertex[axis] - point[axis]) * (vertex[axis] - point[axis]);
            const Indices isNearer = distance < minDistance[p];
            nearest[p] = isNearer ? index : nearest[p];
            minDistance[p] = minimum(distance, minDistance[p]);
        }
        index += static_cast<int>(kLanes);
    }
    for (std::size_t p = 0; p < kPoints; ++p) {
        float distances[kLanes];
        std::int32_t indices[kLanes];
        __builtin_memcpy(distances, &minDistance[p], sizeof(distances));
        __builtin_memcpy(indices, &nearest[p], sizeof(indices));
        std::size_t best = 0;
        for (std::size_t lane = 1; lane < kLanes; ++lane) {
            const bool earlier =
                distances[lane] == distances[best] && indices[lane] < indices[best];
            if (distances[lane] < distances[best] || earlier) best = lane;
        }
        result[p] = static_cast<std::uint32_t>(indices[best]);
    }
}

void find(const float* const* vertices, std::size_t paddedCount, const float* points,
          std::size_t count, std::uint32_t* result) {
    std::size_t i = 0;
    for (; i + kPointsAtOnce <= count; i += kPointsAtOnce)
        findNearest<kPointsAtOnce>(vertices, paddedCount, points + i * kSearchDimensions,
                                   result + i);
    for (; i < count; ++i)
        findNearest<1>(vertices, paddedCount, points + i * kSearchDimensions, result + i);
}

}  // namespace

const VertexSearch THREEFOLD_VARIANT::kVertexSearch{THREEFOLD_VARIANT_NAME, find};

}  // namespace threefold::simd
