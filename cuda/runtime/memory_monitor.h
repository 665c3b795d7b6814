#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cuda/runtime/device_api.h"
#include "cuda/runtime/memory_pool.h"

namespace threefold::cuda {

/// One look at a device's memory, in bytes.
struct MemoryReading {
    std::size_t total = 0;
    std::size_t used = 0;      ///< of the whole device, other processes included
    std::size_t poolHeld = 0;  ///< by the watched pools

    double share() const {
        return total == 0 ? 0.0 : static_cast<double>(used) / static_cast<double>(total);
    }
};

/// Watches how full a device is. Not thread-safe.
class MemoryMonitor {
  public:
    using Alert = std::function<void(const MemoryReading&)>;

    /// Above the first share of used memory an alert is due, and again only after less than the
    /// second share was used.
    static constexpr double kAlertShare = 0.90;
    static constexpr double kClearShare = 0.85;

    /// `alert` may be empty. The device must outlive the monitor.
    MemoryMonitor(DeviceApi& device, Alert alert);

    /// Counts this pool in later readings; it must outlive the monitor.
    void watch(const MemoryPool& pool);

    /// Looks now, and calls the alert where one is due. Throws DeviceLost.
    MemoryReading read();

    /// Most that a reading has found in use on the device, other processes included; 0 before the
    /// first.
    std::size_t peakUsed() const { return peakUsed_; }

  private:
    DeviceApi& device_;
    Alert alert_;
    std::vector<const MemoryPool*> pools_;
    bool alerted_ = false;
    std::size_t peakUsed_ = 0;
};

}  // namespace threefold::cuda
