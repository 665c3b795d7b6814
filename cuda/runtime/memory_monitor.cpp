#include "cuda/runtime/memory_monitor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace threefold::cuda {

MemoryMonitor::MemoryMonitor(DeviceApi& device, Alert alert, double alertShare, double clearShare)
    : device_(device), alert_(std::move(alert)), alertShare_(alertShare), clearShare_(clearShare) {
    if (!(0 < clearShare && clearShare <= alertShare && alertShare <= 1)) {
        throw InputError({"memory monitor", "",
                          fmt::format("alert at {} and clear at {} of the memory is no range",
                                      alertShare, clearShare),
                          "Choose 0 < clear <= alert <= 1."});
    }
}

void MemoryMonitor::watch(const MemoryPool& pool) {
    pools_.push_back(&pool);
}

MemoryReading MemoryMonitor::read() {
    MemoryReading reading;
    const DeviceMemoryInfo info = device_.memoryInfo();
    reading.total = info.total;
    reading.used = info.total - std::min(info.free, info.total);
    for (const MemoryPool* pool : pools_) {
        const PoolCounters counters = pool->counters();
        reading.poolHeld += counters.bytesHeld;
        reading.poolInUse += counters.bytesInUse;
    }
    reading.peakUsed = peakUsed_ = std::max(peakUsed_, reading.used);
    reading.poolPeak = poolPeak_ = std::max(poolPeak_, reading.poolHeld);

    if (alerted_) {
        alerted_ = reading.share() >= clearShare_;
    } else if (reading.share() > alertShare_) {
        alerted_ = true;
        if (alert_) alert_(reading);
    }
    return reading;
}

}  // namespace threefold::cuda
