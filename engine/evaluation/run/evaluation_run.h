#pragma once

#include <optional>
#include <vector>

#include "engine/devices/device_memory_use.h"
#include "engine/devices/gpu_monitor.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/pipeline/sample_record.h"

namespace threefold {

/// Statistics of the network's devices in the current session. The journal does not store them.
struct DeviceStatistics {
    std::optional<GpuUtilisation> utilisation = {};
    std::optional<DeviceMemoryUse> memory = {};
};

/// A run and its finished samples.
struct EvaluationRun {
    RunDescription description;
    std::vector<SampleRecord> records;  ///< sorted by position; of all shards in a merged run
    DeviceStatistics deviceStatistics = {};
};

}  // namespace threefold
