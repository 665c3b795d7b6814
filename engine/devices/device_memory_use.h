#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace threefold {

/// Statistics of a device's memory pools: of device memory and of page-locked host memory.
struct PoolStatistics {
    std::uint64_t reusedCount = 0;          ///< requests served by a pooled block
    std::uint64_t freedCount = 0;           ///< blocks returned to the device or the system
    std::uint64_t lateAllocationCount = 0;  ///< blocks allocated after the warm-up; normally 0
};

/// "1200 blocks reused, 3 given back, 0 allocated after the warm-up"
std::string poolUseText(const PoolStatistics& pools);

/// Memory use of a back end's device, in bytes.
struct DeviceMemoryUse {
    /// Bytes in use by all processes before the back end's first allocation, including the bare
    /// CUDA context.
    std::size_t baselineBytes = 0;
    std::size_t peakBytes = 0;  ///< maximum observed bytes beyond `baselineBytes`, of all processes
    /// Maximum bytes of weights and buffers, without allocations by cuBLASLt and cuDNN.
    std::size_t peakPoolBytes = 0;
    PoolStatistics pools = {};
};

}  // namespace threefold
