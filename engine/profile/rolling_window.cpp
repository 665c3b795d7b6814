#include "engine/profile/rolling_window.h"

#include <vector>

#include "engine/order_statistics.h"

namespace threefold {

void RollingWindow::add(double value) {
    if (values_.size() == capacity_) values_.pop_front();
    values_.push_back(value);
}

std::optional<double> RollingWindow::median() const {
    return medianOf(std::vector<double>(values_.begin(), values_.end()));
}

std::optional<double> RollingWindow::last() const {
    if (values_.empty()) return std::nullopt;
    return values_.back();
}

std::optional<double> RollingWindow::p95() const {
    return quantile(std::vector<double>(values_.begin(), values_.end()), 0.95);
}

}  // namespace threefold
