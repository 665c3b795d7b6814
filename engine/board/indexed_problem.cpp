#include "engine/board/indexed_problem.h"

#include <algorithm>
#include <utility>

namespace threefold::board {

std::vector<std::size_t> observationCounts(const IndexedProblem& indexed) {
    std::vector<std::size_t> counts(indexed.markerIds.size(), 0);
    for (const MarkerObservation& observed : indexed.problem.observations)
        ++counts[observed.markerIndex];
    return counts;
}

std::size_t markerSeenMost(const IndexedProblem& indexed) {
    const std::vector<std::size_t> counts = observationCounts(indexed);
    return static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
}

void swapMarkers(IndexedProblem& indexed, std::size_t first, std::size_t second) {
    for (MarkerObservation& observed : indexed.problem.observations)
        if (observed.markerIndex == first)
            observed.markerIndex = second;
        else if (observed.markerIndex == second)
            observed.markerIndex = first;
    std::swap(indexed.markerIds[first], indexed.markerIds[second]);
}

}  // namespace threefold::board
