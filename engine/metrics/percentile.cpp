#include "engine/metrics/percentile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace threefold {

float percentileOf(std::span<const std::vector<float>* const> sorted, double fraction) {
    std::size_t total = 0;
    for (const std::vector<float>* list : sorted) total += list->size();
    const auto all = static_cast<double>(total);
    const auto needed =
        static_cast<std::size_t>(std::clamp(std::ceil(fraction * all), 1.0, std::max(1.0, all)));
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

}  // namespace threefold
