#pragma once

#include <span>
#include <vector>

namespace threefold {

/// Percentile of several ascending lists together: the smallest of their values that a `fraction`
/// (0…1) of all values does not exceed. 0 without values. Needs only binary searches.
float percentileOf(std::span<const std::vector<float>* const> sorted, double fraction);

}  // namespace threefold
