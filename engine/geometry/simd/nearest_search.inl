// The search in plain vector code, compiled once for each instruction set
// (engine/compute/variants.h).
//
// The search is exact: a distance is (dx·dx + dy·dy) + dz·dz in double precision, and no point has
// a smaller one. A box is skipped if its distance, computed in the same way, is not below the
// minimum so far. Rounding is monotonic, so no point within the box has a smaller computed distance
// than the box.

#define THREEFOLD_LANES (THREEFOLD_REGISTER_BYTES / 8)  // doubles

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/geometry/simd/nearest_search.h"

namespace threefold::simd {
namespace {

constexpr std::size_t kLanes = THREEFOLD_LANES;

using Vec = double __attribute__((vector_size(8 * THREEFOLD_LANES)));
using Floats = float __attribute__((vector_size(4 * THREEFOLD_LANES)));

inline Vec widened(const float* from) {
    Floats v;
    __builtin_memcpy(&v, from, sizeof(v));
    return __builtin_convertvector(v, Vec);
}

inline Vec maximum(Vec a, Vec b) {
#if THREEFOLD_LANES == 8
    // The unmasked intrinsic makes GCC 12 warn about its own header.
    return _mm512_maskz_max_pd(0xFF, a, b);
#elif THREEFOLD_LANES == 4
    return _mm256_max_pd(a, b);
#else
    return a > b ? a : b;
#endif
}

// Bit i is set if lane i is below `limit`.
inline unsigned below(Vec v, double limit) {
#if THREEFOLD_LANES == 8
    return _mm512_cmp_pd_mask(v, _mm512_set1_pd(limit), _CMP_LT_OQ);
#elif THREEFOLD_LANES == 4
    return static_cast<unsigned>(
        _mm256_movemask_pd(_mm256_cmp_pd(v, _mm256_set1_pd(limit), _CMP_LT_OQ)));
#else
    unsigned bits = 0;
    for (std::size_t i = 0; i < kLanes; ++i) bits |= (v[i] < limit ? 1U : 0U) << i;
    return bits;
#endif
}

struct Query {
    double x, y, z;
};

struct Best {
    double squared;
    std::size_t position;
};

inline void scanLeaf(const NearestLeaf& leaf, std::size_t leafIndex, const Query& query,
                     Best& best) {
    for (std::size_t i = 0; i < kLeafPoints; i += kLanes) {
        const Vec dx = widened(leaf.x + i) - query.x;
        const Vec dy = widened(leaf.y + i) - query.y;
        const Vec dz = widened(leaf.z + i) - query.z;
        const Vec squared = dx * dx + dy * dy + dz * dz;
        for (unsigned bits = below(squared, best.squared); bits != 0; bits &= bits - 1) {
            const auto lane = static_cast<std::size_t>(__builtin_ctz(bits));
            if (squared[lane] < best.squared)
                best = {squared[lane], leafIndex * kLeafPoints + i + lane};
        }
    }
}

// Squared distances to the boxes; 0 inside a box.
inline void boxDistances(const NearestNode& node, const Query& query, double* squared) {
    const double origin[3] = {query.x, query.y, query.z};
    for (std::size_t i = 0; i < kNodeChildren; i += kLanes) {
        Vec outside[3];
        for (int axis = 0; axis < 3; ++axis) {
            const Vec under = widened(node.low[axis] + i) - origin[axis];
            const Vec over = origin[axis] - widened(node.high[axis] + i);
            outside[axis] = maximum(maximum(under, over), Vec{});
        }
        const Vec sum = outside[0] * outside[0] + outside[1] * outside[1] + outside[2] * outside[2];
        __builtin_memcpy(squared + i, &sum, sizeof(sum));
    }
}

inline unsigned childrenBelow(const double* squared, double limit) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < kNodeChildren; i += kLanes) {
        Vec v;
        __builtin_memcpy(&v, squared + i, sizeof(v));
        bits |= below(v, limit) << i;
    }
    return bits;
}

inline unsigned nearestOf(const double* squared, unsigned bits) {
    auto nearest = static_cast<unsigned>(__builtin_ctz(bits));
    for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
        const auto child = static_cast<unsigned>(__builtin_ctz(bits));
        if (squared[child] < squared[nearest]) nearest = child;
    }
    return nearest;
}

// Visits the nearest child first: the sooner a near point is found, the more boxes are skipped.
void visit(const NearestTree& tree, int level, std::size_t nodeIndex, const Query& query,
           Best& best) {
    double squared[kNodeChildren];
    boxDistances(tree.levels[level][nodeIndex], query, squared);
    for (unsigned bits = childrenBelow(squared, best.squared); bits != 0;
         bits &= childrenBelow(squared, best.squared)) {
        const unsigned nearest = nearestOf(squared, bits);
        const std::size_t child = nodeIndex * kNodeChildren + nearest;
        if (level == 0)
            scanLeaf(tree.leaves[child], child, query, best);
        else
            visit(tree, level - 1, child, query, best);
        bits &= ~(1U << nearest);
    }
}

double squaredTo(const NearestTree& tree, std::size_t position, const Query& query) {
    const NearestLeaf& leaf = tree.leaves[position / kLeafPoints];
    const std::size_t i = position % kLeafPoints;
    const double dx = leaf.x[i] - query.x;
    const double dy = leaf.y[i] - query.y;
    const double dz = leaf.z[i] - query.z;
    return dx * dx + dy * dy + dz * dz;
}

void find(const NearestTree& tree, const float* queries, std::size_t count, double* squared,
          std::uint32_t* position) {
    Best best{0, 0};
    for (std::size_t i = 0; i < count; ++i) {
        const float* point = queries + 3 * i;
        const Query query{point[0], point[1], point[2]};
        best.squared = squaredTo(tree, best.position, query);
        if (tree.levelCount == 0) {
            for (std::size_t leaf = 0; leaf < tree.leafCount; ++leaf)
                scanLeaf(tree.leaves[leaf], leaf, query, best);
        } else {
            visit(tree, tree.levelCount - 1, 0, query, best);
        }
        squared[i] = best.squared;
        position[i] = static_cast<std::uint32_t>(best.position);
    }
}

}  // namespace

const NearestSearch THREEFOLD_VARIANT::kNearestSearch = {THREEFOLD_VARIANT_NAME, find};

}  // namespace threefold::simd
