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

/// The neighbours of a batch of pairs, and the time taken.
struct NearestBatch {
    std::vector<NearestPair> pairs;
    double milliseconds = 0;  ///< computation only; on a GPU from CUDA events, without transfers
};

/// Nearest neighbours in both directions, on the processor. Throws InputError where only one cloud
/// of a pair is empty, or a coordinate is not finite.
NearestBatch nearestBothWays(std::span<const CloudPair> pairs);

}  // namespace threefold
