#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

class PackedTree;

struct Nearest {
    /// From each query to its nearest reference point. Computed in double precision throughout, so
    /// that measures do not depend on the search method.
    std::vector<double> squaredDistance;
    std::vector<std::uint32_t> index;  ///< of that point; any one of equally near points
};

/// Search index over points. Keeps a view of the points, which must outlive it. Thread-safe:
/// several threads may query at once.
class NearestIndex {
  public:
    /// Throws InputError where a coordinate is not finite.
    explicit NearestIndex(std::span<const glm::vec3> reference);

    /// Exact. Throws InputError: no reference for queries, or a coordinate that is not finite.
    Nearest find(std::span<const glm::vec3> queries) const;

  private:
    std::shared_ptr<const PackedTree> tree_;
};

/// A single search, without keeping the index.
Nearest nearestNeighbours(std::span<const glm::vec3> queries, std::span<const glm::vec3> reference);

/// Two clouds to be compared; views of the caller's points.
struct CloudPair {
    std::span<const glm::vec3> first;
    std::span<const glm::vec3> second;
};

/// Nearest neighbours in both directions.
struct NearestPair {
    Nearest firstToSecond;
    Nearest secondToFirst;
};

/// The neighbours of a batch of pairs, and the time taken.
struct NearestBatch {
    std::vector<NearestPair> pairs;
    double milliseconds = 0;  ///< computation only; on a GPU from CUDA events, without transfers
};

/// Nearest neighbours in both directions, on the processor. Throws InputError where only one cloud
/// of a pair is empty, or a coordinate is not finite.
NearestBatch nearestBothWays(std::span<const CloudPair> pairs);

}  // namespace threefold
