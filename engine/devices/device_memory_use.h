#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace threefold {

/// Statistics of a device's memory pools: of device memory and of page-locked host memory.
struct PoolStatistics {
    std::uint64_t hits = 0;                    ///< requests served by a pooled block
    std::uint64_t frees = 0;                   ///< blocks returned to the device or the system
    std::uint64_t allocationsWhileSealed = 0;  ///< blocks allocated after the warm-up; normally 0
};

/// "1200 blocks reused, 3 given back, 0 allocated after the warm-up"
std::string poolUseText(const PoolStatistics& pools);

/// Memory use of a back end's device, in bytes.
struct DeviceMemoryUse {
    std::size_t bytesBefore = 0;    ///< used by all processes before the back end's first
                                    ///< allocation, including the bare CUDA context
    std::size_t peakBytes = 0;      ///< maximum observed use beyond `bytesBefore`, by all processes
    std::size_t peakPoolBytes = 0;  ///< maximum use by weights and buffers, without the libraries'
    PoolStatistics pools = {};
};

}  // namespace threefold
