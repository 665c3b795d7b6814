#include "engine/order_statistics.h"

#include <cmath>

namespace threefold {

std::optional<double> nearestRank(std::span<const double> values, double fraction) {
    if (values.empty()) return std::nullopt;
    const auto count = static_cast<double>(values.size());
    // 0.95 × 20 is a little more than 19 in binary; the rank is still 19.
    constexpr double kRankRounding = 1e-9;
    const double rank = std::clamp(std::ceil(fraction * count - kRankRounding), 1.0, count);
    std::vector<double> sorted(values.begin(), values.end());
    const auto position = sorted.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
    std::nth_element(sorted.begin(), position, sorted.end());
    return *position;
}

std::optional<double> medianOf(std::span<const double> values) {
    if (values.empty()) return std::nullopt;
    std::vector<double> sorted(values.begin(), values.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    if (sorted.size() % 2 == 1) return *middle;
    return *std::max_element(sorted.begin(), middle) / 2 + *middle / 2;
}

}  // namespace threefold
