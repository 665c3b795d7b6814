#include "engine/profile/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

namespace threefold {
namespace {

double millisecondsOf(clockid_t clock) {
    constexpr double kNanosecondsInMillisecond = 1e6;
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * kMillisecondsInSecond +
           static_cast<double>(time.tv_nsec) / kNanosecondsInMillisecond;
}

}  // namespace

double threadCoreMilliseconds() {
    return millisecondsOf(CLOCK_THREAD_CPUTIME_ID);
}

double processCoreMilliseconds() {
    return millisecondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

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

void Rolling::add(double value) {
    if (values_.size() == capacity_) values_.pop_front();
    values_.push_back(value);
}

std::optional<double> Rolling::median() const {
    return medianOf(std::vector<double>(values_.begin(), values_.end()));
}

std::optional<double> Rolling::last() const {
    if (values_.empty()) return std::nullopt;
    return values_.back();
}

std::optional<double> Rolling::p95() const {
    return nearestRank(std::vector<double>(values_.begin(), values_.end()), 0.95);
}

}  // namespace threefold
