#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/geometry/cloud_pair.h"

namespace threefold {

class PackedKdTree;

/// Nearest reference point of each query; both lists have one entry for each query.
struct Neighbours {
    /// Squared distances, computed in double precision, so that measures do not depend on the
    /// search method.
    std::vector<double> squaredDistances;
    std::vector<std::uint32_t> indices;  ///< of reference points; any one of equally near points
};

/// Search index over a copy of points. Thread-safe: several threads may query at once.
class NearestIndex {
  public:
    /// Throws InputError if a coordinate is not finite.
    explicit NearestIndex(std::span<const glm::vec3> reference);

    /// Finds exact nearest neighbours. Throws InputError if there are queries but no reference, or
    /// a coordinate is not finite.
    Neighbours find(std::span<const glm::vec3> queries) const;

  private:
    std::shared_ptr<const PackedKdTree> tree_;
};

/// Searches once: NearestIndex(reference).find(queries).
Neighbours nearestNeighbours(std::span<const glm::vec3> queries,
                             std::span<const glm::vec3> reference);

/// Nearest neighbours in both directions.
struct BidirectionalNeighbours {
    Neighbours firstToSecond;
    Neighbours secondToFirst;
};

/// Neighbours of several pairs, with the computation time.
struct NeighbourResults {
    std::vector<BidirectionalNeighbours> pairs;
    double milliseconds = 0;  ///< computation only, without transfers; on a GPU from CUDA events
};

/// Throws InputError if only one of the clouds is empty, or a coordinate is not finite.
void requireComparable(const CloudPair& clouds);

/// Finds nearest neighbours in both directions, on the processor. Throws as requireComparable().
NeighbourResults bidirectionalNeighbours(std::span<const CloudPair> pairs);

}  // namespace threefold
