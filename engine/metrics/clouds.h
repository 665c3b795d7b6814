#pragma once

#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/metrics/nearest.h"

namespace threefold {

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

/// Those of a batch of pairs, with the time that it took.
struct NearestBatch {
    std::vector<NearestPair> pairs;
    double milliseconds = 0;  ///< of the work alone; on a GPU by its events, without the transfers
};

/// On the processor. Throws InputError where one cloud of a pair is empty and the other is not, or
/// a coordinate is not finite.
NearestBatch nearestBothWays(std::span<const CloudPair> pairs);

}  // namespace threefold
