#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/metrics/simd/nearest_search.h"

namespace threefold {

/// What simd::NearestSearch searches: a k-d tree of eight children a node, every leaf full but the
/// last. Halves are split at the median along their box's widest axis, so that clusters, lines and
/// equal points cost no more than others. Thread-safe once built.
class PackedTree {
  public:
    /// Of at least one point, all finite. On the process's pool where there are many.
    explicit PackedTree(std::span<const glm::vec3> points);

    simd::NearestTree view() const;
    std::uint32_t indexOf(std::uint32_t place) const { return index_[place]; }

  private:
    std::vector<simd::NearestLeaf> leaves_;
    std::vector<std::vector<simd::NearestNode>> levels_;  ///< lowest first
    std::vector<std::uint32_t> index_;                    ///< of the point at each place
};

/// Points up to which looking at all of them is faster than the tree: one of few queries or many.
inline constexpr std::size_t kBruteForcePoints = 256;

}  // namespace threefold
