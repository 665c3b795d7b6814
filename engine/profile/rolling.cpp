#include "engine/profile/rolling.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace threefold {

std::optional<double> nearestRank(std::span<const double> values, double share) {
    if (values.empty()) return std::nullopt;
    const auto count = static_cast<double>(values.size());
    // 0.95 × 20 is a little more than 19 in binary; the rank is 19 all the same.
    constexpr double kRounding = 1e-9;
    const double rank = std::clamp(std::ceil(share * count - kRounding), 1.0, count);
    std::vector<double> sorted(values.begin(), values.end());
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
}

void Rolling::add(double value) {
    if (values_.size() == kept_) values_.pop_front();
    values_.push_back(value);
}

std::optional<double> Rolling::last() const {
    if (values_.empty()) return std::nullopt;
    return values_.back();
}

std::optional<double> Rolling::percentile(double share) const {
    return nearestRank(std::vector<double>(values_.begin(), values_.end()), share);
}

}  // namespace threefold
