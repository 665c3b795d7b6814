#include "engine/devices/device_memory_use.h"

#include <fmt/format.h>

namespace threefold {

std::string poolUseText(const PoolStatistics& use) {
    return fmt::format("{} blocks reused, {} given back, {} allocated after the warm-up", use.hits,
                       use.frees, use.lateAllocations);
}

}  // namespace threefold
