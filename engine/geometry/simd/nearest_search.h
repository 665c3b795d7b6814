#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// Points of a leaf. The last leaf is padded with infinitely far points.
inline constexpr std::size_t kLeafPoints = 16;
struct alignas(64) NearestLeaf {
    float x[kLeafPoints];
    float y[kLeafPoints];
    float z[kLeafPoints];
};

/// Boxes of a node's children; boxes of missing children are infinitely far.
inline constexpr std::size_t kNodeChildren = 8;
struct alignas(64) NearestNode {
    float low[3][kNodeChildren];
    float high[3][kNodeChildren];
};

/// A packed tree: node i of a level has children 8i … 8i + 7 in the level below; children of the
/// lowest level are leaves. Without levels, all leaves are searched.
inline constexpr int kMaxLevels = 16;
struct NearestTree {
    const NearestLeaf* leaves;
    std::size_t leafCount;
    int levelCount;
    const NearestNode* levels[kMaxLevels];  ///< lowest first; the last level has one node
};

/// Nearest-neighbour search for one instruction set; nearest_search.inl is compiled once per set.
/// All builds compute in double precision with the same rounding, so results are equal.
struct NearestSearch {
    std::string_view name;

    /// Finds, for each query (x, y, z), the minimum squared distance and the position of the
    /// nearest point: 16 · leaf + position in the leaf. Each query starts from the previous query's
    /// neighbour, so queries in spatial order are faster. The tree must have at least one point,
    /// and all coordinates must be finite.
    void (*find)(const NearestTree& tree, const float* queries, std::size_t count, double* squared,
                 std::uint32_t* position);
};

/// Implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(NearestSearch, runnableNearestSearches)

}  // namespace threefold::simd
