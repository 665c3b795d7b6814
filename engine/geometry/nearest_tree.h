#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/geometry/simd/nearest_search.h"

namespace threefold {

/// The tree of simd::NearestSearch: a k-d tree with eight children per node, in which every leaf
/// but the last is full. Ranges are split near the median along their box's widest axis, so that
/// clusters, lines and equal points cost no more than others. Thread-safe once built.
class PackedKdTree {
  public:
    /// `points`: at least one, all finite. Uses the process's thread pool for large clouds.
    explicit PackedKdTree(std::span<const glm::vec3> points);

    simd::NearestTree view() const;
    std::uint32_t indexOf(std::uint32_t position) const { return index_[position]; }

  private:
    std::vector<simd::NearestLeaf> leaves_;
    std::vector<std::vector<simd::NearestNode>> levels_;  ///< lowest first
    std::vector<std::uint32_t> index_;                    ///< index of the point at each position
};

/// Up to this number of points, queries are answered by brute force: it is faster than the tree,
/// for few queries as for many.
inline constexpr std::size_t kMaxBruteForcePoints = 256;

}  // namespace threefold
