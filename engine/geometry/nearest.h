#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

class PackedTree;

/// Nearest reference point of each query.
struct Nearest {
    /// Squared distances, computed in double precision, so that measures do not depend on the
    /// search method.
    std::vector<double> squaredDistance;
    std::vector<std::uint32_t> index;  ///< reference index; any one of equally near points
};

/// Search index over a copy of points. Thread-safe: several threads may query at once.
class NearestIndex {
  public:
    /// Throws InputError if a coordinate is not finite.
    explicit NearestIndex(std::span<const glm::vec3> reference);

    /// Finds exact nearest neighbours. Throws InputError if there are queries but no reference, or
    /// a coordinate is not finite.
    Nearest find(std::span<const glm::vec3> queries) const;

  private:
    std::shared_ptr<const PackedTree> tree_;
};

/// Searches once: NearestIndex(reference).find(queries).
Nearest nearestNeighbours(std::span<const glm::vec3> queries, std::span<const glm::vec3> reference);

/// Two clouds to compare: views of the caller's points.
struct CloudPair {
    std::span<const glm::vec3> first;
    std::span<const glm::vec3> second;
};

/// Nearest neighbours in both directions.
struct NearestPair {
    Nearest firstToSecond;
    Nearest secondToFirst;
};

/// Neighbours of a batch of pairs, with the computation time.
struct NearestBatch {
    std::vector<NearestPair> pairs;
    double milliseconds = 0;  ///< computation only, without transfers; on a GPU from CUDA events
};

/// Finds nearest neighbours in both directions, on the processor. Throws InputError if only one
/// cloud of a pair is empty, or a coordinate is not finite.
NearestBatch nearestBidirectional(std::span<const CloudPair> pairs);

}  // namespace threefold
