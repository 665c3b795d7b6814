#pragma once

#include <cstddef>
#include <vector>

#include "engine/board/bundle_adjustment.h"

namespace threefold::board {

/// Bundle adjustment with the caller's index of each photograph and the id of each marker.
struct IndexedProblem {
    BundleAdjustmentProblem problem;
    std::vector<std::size_t> photoIndices;  ///< caller's index of each of the problem's photographs
    std::vector<int> markerIds;             ///< id of each of the problem's markers
};

/// Number of observations of each marker.
std::vector<std::size_t> observationCounts(const IndexedProblem& indexed);

/// Index of the marker with the most observations, the first of several. Requires a marker.
std::size_t markerSeenMost(const IndexedProblem& indexed);

/// Exchanges the indices of two markers in the observations and the ids.
void swapMarkers(IndexedProblem& indexed, std::size_t first, std::size_t second);

}  // namespace threefold::board
