#include "engine/profile/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "engine/order_statistics.h"

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
