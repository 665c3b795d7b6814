#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/metrics/simd/nearest_search.h"

namespace threefold {

/// The tree that simd::NearestSearch searches: a k-d tree with eight children per node, every leaf
/// but the last full. Ranges are split at the median along their box's widest axis, so that
/// clusters, lines and equal points cost no more than others. Thread-safe once built.
class PackedTree {
  public:
    /// `points`: at least one, all finite. Uses the process's thread pool for large clouds.
    explicit PackedTree(std::span<const glm::vec3> points);

    simd::NearestTree view() const;
    std::uint32_t indexOf(std::uint32_t place) const { return index_[place]; }

  private:
    std::vector<simd::NearestLeaf> leaves_;
    std::vector<std::vector<simd::NearestNode>> levels_;  ///< lowest first
    std::vector<std::uint32_t> index_;                    ///< of the point at each place
};

/// Up to this many points, brute force is faster than the tree, for few and for many queries.
inline constexpr std::size_t kBruteForcePoints = 256;

}  // namespace threefold
