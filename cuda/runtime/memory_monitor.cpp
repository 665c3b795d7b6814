#include "cuda/runtime/memory_monitor.h"

#include <algorithm>
#include <utility>

namespace threefold::cuda {

MemoryMonitor::MemoryMonitor(DeviceApi& device, Alert alert)
    : device_(device), alert_(std::move(alert)) {}

MemoryReading MemoryMonitor::read() {
    MemoryReading reading;
    const DeviceMemoryInfo info = device_.memoryInfo();
    reading.total = info.total;
    reading.used = info.total - std::min(info.free, info.total);
    peakUsed_ = std::max(peakUsed_, reading.used);
    for (const MemoryPool* pool : pools_) reading.poolHeld += pool->counters().bytesHeld;

    if (alerted_) {
        alerted_ = reading.fraction() >= kClearFraction;
    } else if (reading.fraction() > kAlertFraction) {
        alerted_ = true;
        if (alert_) alert_(reading);
    }
    return reading;
}

}  // namespace threefold::cuda
