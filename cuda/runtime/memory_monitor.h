#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cuda/runtime/device_api.h"
#include "cuda/runtime/memory_pool.h"

namespace threefold::cuda {

/// One reading of a device's memory, in bytes.
struct MemoryReading {
    std::size_t total = 0;
    std::size_t used = 0;      ///< used bytes of the device, other processes included
    std::size_t poolHeld = 0;  ///< bytes held by the watched pools

    double fraction() const {
        return total == 0 ? 0.0 : static_cast<double>(used) / static_cast<double>(total);
    }
};

/// Alerts when a device's memory fills up. Not thread-safe.
class MemoryMonitor {
  public:
    using Alert = std::function<void(const MemoryReading&)>;

    /// Alerts above the first fraction of used memory; re-arms below the second.
    static constexpr double kAlertFraction = 0.90;
    static constexpr double kClearFraction = 0.85;

    /// `alert` may be empty. The device must outlive the monitor.
    MemoryMonitor(DeviceApi& device, Alert alert);

    /// Counts this pool in later readings; it must outlive the monitor.
    void watch(const MemoryPool& pool) { pools_.push_back(&pool); }

    /// Reads memory use and calls the alert if due. Throws DeviceLost.
    MemoryReading read();

    /// Largest reading of used bytes on the device, other processes included; 0 before the first
    /// reading.
    std::size_t peakUsed() const { return peakUsed_; }

  private:
    DeviceApi& device_;
    Alert alert_;
    std::vector<const MemoryPool*> pools_;
    bool alerted_ = false;
    std::size_t peakUsed_ = 0;
};

}  // namespace threefold::cuda
