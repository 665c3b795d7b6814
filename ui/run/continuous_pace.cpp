#include "ui/run/continuous_pace.h"

#include <algorithm>
#include <vector>

namespace threefold::ui {

void ContinuousPace::begin(double now) {
    begun_ = now;
    if (waitingSince_ < 0) waitingSince_ = now;
}

void ContinuousPace::finish(double now) {
    durations_.push_back(now - begun_);
    if (durations_.size() > kRemembered) durations_.pop_front();
    waitingSince_ = now;
}

bool ContinuousPace::mayStop(double now) const {
    constexpr double kYoung = 0.5;
    constexpr double kPatience = 2.0;
    const double usual = expected();
    return now - begun_ < kYoung * usual && now - waitingSince_ < kPatience * usual;
}

double ContinuousPace::expected() const {
    if (durations_.empty()) return 0;
    std::vector<double> sorted(durations_.begin(), durations_.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

}  // namespace threefold::ui
