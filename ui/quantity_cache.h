#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "ui/quantities.h"

namespace threefold::ui {

/// The values of a result that somebody has looked at, kept with it. Thread-safe.
class QuantityCache {
  public:
    /// What is there, or else what `compute` gives. `station`: of the way; kWayStations: the truth.
    template <class Compute>
    SurfaceValues find(std::size_t station, Quantity quantity, const Compute& compute) {
        const std::lock_guard lock(mutex_);
        const auto key = std::pair(station, quantity);
        auto at = known_.find(key);
        if (at == known_.end()) at = known_.emplace(key, compute()).first;
        return at->second;
    }

  private:
    std::mutex mutex_;
    std::map<std::pair<std::size_t, Quantity>, SurfaceValues> known_;
};

}  // namespace threefold::ui
