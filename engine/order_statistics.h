#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace threefold {

/// Quantile by nearest rank: the smallest of the values v such that at least the fraction
/// `fraction` (0…1) of all values is ≤ v. Never interpolated. nullopt without values.
std::optional<double> quantile(std::span<const double> values, double fraction);
std::optional<float> quantile(std::span<const float> values, double fraction);

/// Position of a quantile among `count` > 0 ascending values, counted from 1: the smallest whole
/// number not below `fraction` × `count`, at least 1. Tolerates rounding of `fraction`.
std::size_t nearestRank(double fraction, std::size_t count);

/// quantile() of the values of several ascending lists, found by binary searches. Returns 0 without
/// values, because a colour range needs a number.
float quantileOfSorted(std::span<const std::vector<float>* const> sorted, double fraction);

/// Median: the middle value, or the mean of the two middle values. nullopt without values.
std::optional<double> medianOf(std::span<const double> values);

/// Upper median: the value of rank n / 2, counted from 0, of n > 0 values. Never interpolated.
template <class Value>
Value upperMedian(std::vector<Value> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

}  // namespace threefold
