#pragma once

#include <functional>
#include <iterator>

namespace threefold {

/// Mean of the overlaps of a range, each 0…1; 0 for an empty one. `overlapOf`: the overlap of an
/// element.
template <class Range, class OverlapOf = std::identity>
double meanOverlap(const Range& range, const OverlapOf& overlapOf = {}) {
    double sum = 0;
    for (const auto& element : range) sum += std::invoke(overlapOf, element);
    return std::empty(range) ? 0 : sum / static_cast<double>(std::size(range));
}

}  // namespace threefold
