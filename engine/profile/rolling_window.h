#pragma once

#include <cstddef>
#include <deque>
#include <optional>

namespace threefold {

/// The newest values of a repeated measurement.
class RollingWindow {
  public:
    static constexpr std::size_t kDefaultCapacity = 64;

    /// Keeps the last `capacity` > 0 values.
    explicit RollingWindow(std::size_t capacity = kDefaultCapacity) : capacity_(capacity) {}

    void add(double value);
    const std::deque<double>& values() const { return values_; }  ///< oldest first
    std::size_t size() const { return values_.size(); }

    /// Statistics of the kept values; nullopt before the first value. p95(): 95th percentile by
    /// nearest rank.
    std::optional<double> last() const;
    std::optional<double> median() const;
    std::optional<double> p95() const;

  private:
    std::size_t capacity_;
    std::deque<double> values_;
};

}  // namespace threefold
