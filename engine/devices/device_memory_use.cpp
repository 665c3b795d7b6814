#include "engine/devices/device_memory_use.h"

#include <fmt/format.h>

namespace threefold {

std::string poolUseText(const PoolStatistics& pools) {
    return fmt::format("{} blocks reused, {} given back, {} allocated after the warm-up",
                       pools.reusedCount, pools.freedCount, pools.lateAllocationCount);
}

}  // namespace threefold
