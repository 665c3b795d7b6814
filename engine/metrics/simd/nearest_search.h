#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// Points of a leaf; the last one is filled up with infinitely far ones.
inline constexpr std::size_t kLeafPoints = 16;
struct alignas(64) NearestLeaf {
    float x[kLeafPoints];
    float y[kLeafPoints];
    float z[kLeafPoints];
};

/// Boxes around the children of a node; the boxes of missing children are infinitely far.
inline constexpr std::size_t kNodeChildren = 8;
struct alignas(64) NearestNode {
    float low[3][kNodeChildren];
    float high[3][kNodeChildren];
};

/// A packed tree: node i of a level has the children 8i … 8i + 7 of the level below, the lowest
/// level's children are the leaves. Without levels all leaves are searched.
inline constexpr int kMostLevels = 16;
struct NearestTree {
    const NearestLeaf* leaves;
    std::size_t leafCount;
    int levels;
    const NearestNode* level[kMostLevels];  ///< lowest first; the last one is one node
};

/// The search for one instruction set; nearest_search.inl is compiled once for each. All compute in
/// double precision with the same rounding, so all give the same result.
struct NearestSearch {
    std::string_view name;

    /// For each query (x, y, z), the least squared distance and the position of that point:
    /// 16 · leaf + position in the leaf. Each query starts from the previous query's neighbour, so
    /// an order in which successive queries are close is faster. The tree must have at least one
    /// point, and all coordinates must be finite.
    void (*find)(const NearestTree& tree, const float* queries, std::size_t count, double* squared,
                 std::uint32_t* place);
};

/// The implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(NearestSearch, availableSearches)

}  // namespace threefold::simd
