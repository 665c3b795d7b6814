#include "engine/order_statistics.h"

#include <cmath>
#include <limits>

namespace threefold {
namespace {

template <class Value>
std::optional<Value> percentileOf(std::span<const Value> values, double fraction) {
    if (values.empty()) return std::nullopt;
    std::vector<Value> sorted(values.begin(), values.end());
    const auto rank = static_cast<std::ptrdiff_t>(nearestRank(fraction, sorted.size()));
    const auto position = sorted.begin() + rank - 1;
    std::nth_element(sorted.begin(), position, sorted.end());
    return *position;
}

}  // namespace

std::size_t nearestRank(double fraction, std::size_t count) {
    // 0.55 × 100 is 55.00000000000001 in binary; the rank is still 55.
    constexpr double kRankRounding = 1e-9;
    const auto all = static_cast<double>(count);
    return static_cast<std::size_t>(
        std::clamp(std::ceil(fraction * all - kRankRounding), 1.0, std::max(1.0, all)));
}

std::optional<double> quantile(std::span<const double> values, double fraction) {
    return percentileOf(values, fraction);
}

std::optional<float> quantile(std::span<const float> values, double fraction) {
    return percentileOf(values, fraction);
}

float quantileOfSorted(std::span<const std::vector<float>* const> sorted, double fraction) {
    std::size_t total = 0;
    for (const std::vector<float>* list : sorted) total += list->size();
    const std::size_t needed = nearestRank(fraction, total);
    const auto countUpTo = [&](float value) {
        std::size_t count = 0;
        for (const std::vector<float>* list : sorted) {
            count += static_cast<std::size_t>(std::upper_bound(list->begin(), list->end(), value) -
                                              list->begin());
        }
        return count;
    };
    float best = std::numeric_limits<float>::infinity();
    for (const std::vector<float>* list : sorted) {
        const auto found = std::partition_point(
            list->begin(), list->end(), [&](float value) { return countUpTo(value) < needed; });
        if (found != list->end()) best = std::min(best, *found);
    }
    return std::isfinite(best) ? best : 0.0F;
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
