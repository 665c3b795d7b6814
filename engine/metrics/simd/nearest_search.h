#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace threefold::simd {

/// Points of a leaf; the last one is filled up with infinitely far ones.
inline constexpr std::size_t kLeafPoints = 16;
struct alignas(64) NearestLeaf {
    float x[kLeafPoints];
    float y[kLeafPoints];
    float z[kLeafPoints];
};

/// Boxes around the children of a node; those that are not there are infinitely far.
inline constexpr std::size_t kNodeChildren = 8;
struct alignas(64) NearestNode {
    float low[3][kNodeChildren];
    float high[3][kNodeChildren];
};

/// A packed tree: node i of a level has the children 8i … 8i + 7 of the level below, the lowest
/// level's children are the leaves. Without levels all leaves are looked at.
inline constexpr int kMostLevels = 16;
struct NearestTree {
    const NearestLeaf* leaves;
    std::size_t leafCount;
    int levels;
    const NearestNode* level[kMostLevels];  ///< lowest first; the last one is one node
};

/// The search, once for each instruction set. One source (nearest_search.inl) is compiled for each.
/// All work in double precision and round alike, so that all find the same.
struct NearestSearch {
    std::string_view name;

    /// For each query (x, y, z), the least squared distance and the place of that point: 16 · leaf
    /// + place in it. Queries near each other are faster after each other: each starts from the
    /// neighbour of the one before. The tree has at least one point, all coordinates are finite.
    void (*find)(const NearestTree& tree, const float* queries, std::size_t count, double* squared,
                 std::uint32_t* place);
};

/// Those that this processor can run, the fastest first; the last one is "portable".
std::span<const NearestSearch* const> availableSearches();

}  // namespace threefold::simd
