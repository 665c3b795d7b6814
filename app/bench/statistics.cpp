#include "app/bench/statistics.h"

#include <algorithm>
#include <cmath>

namespace threefold {

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

double median(const std::vector<double>& values) {
    return quantile(values, 0.5);
}

double percentile95(const std::vector<double>& values) {
    return quantile(values, 0.95);
}

}  // namespace threefold
