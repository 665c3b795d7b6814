#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "cuda/runtime/device_api.h"
#include "cuda/runtime/memory_pool.h"

namespace threefold::cuda {

/// One look at a device's memory, in bytes.
struct MemoryReading {
    std::size_t total = 0;
    std::size_t used = 0;      ///< of the whole device, other processes included
    std::size_t peakUsed = 0;  ///< largest `used` that was seen
    std::size_t poolHeld = 0;  ///< by the device pools watched
    std::size_t poolInUse = 0;
    std::size_t poolPeak = 0;  ///< largest sum of `held` that was seen

    double share() const {
        return total == 0 ? 0.0 : static_cast<double>(used) / static_cast<double>(total);
    }
};

/// Watches how full a device is. Not thread-safe.
class MemoryMonitor {
  public:
    using Alert = std::function<void(const MemoryReading&)>;

    /// `alert` (may be empty) is called when a reading finds more than `alertShare` of the memory
    /// used, and not again before one has found less than `clearShare`. Throws InputError unless
    /// 0 < clearShare <= alertShare <= 1. The device must outlive the monitor.
    MemoryMonitor(DeviceApi& device, Alert alert, double alertShare = 0.90,
                  double clearShare = 0.85);

    /// Counts this pool in later readings; it must outlive the monitor.
    void watch(const MemoryPool& pool);

    /// Looks now. Throws DeviceLost.
    MemoryReading read();

    bool alerted() const { return alerted_; }  ///< above, and not yet cleared

  private:
    DeviceApi& device_;
    Alert alert_;
    double alertShare_;
    double clearShare_;
    std::vector<const MemoryPool*> pools_;
    std::size_t peakUsed_ = 0;
    std::size_t poolPeak_ = 0;
    bool alerted_ = false;
};

}  // namespace threefold::cuda
