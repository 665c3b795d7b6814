#include "engine/devices/device_memory_use.h"

#include <fmt/format.h>

namespace threefold {

std::string poolUseText(const PoolStatistics& pools) {
    return fmt::format("{} blocks reused, {} given back, {} allocated after the warm-up",
                       pools.hits, pools.frees, pools.allocationsWhileSealed);
}

}  // namespace threefold
