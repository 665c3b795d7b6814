#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/devices/device_memory_use.h"
#include "engine/error.h"
#include "engine/model/model.h"
#include "engine/network/backend.h"
#include "engine/network/precision.h"

namespace threefold {

/// Current state of a network.
struct NetworkInfo {
    /// All devices in use: "CPU · …", "2 × GPU · …"; different ones are joined by " + ".
    std::string description;
    const BackendKind* kind = &kProcessorKind;  ///< NetworkDevices::kind of the devices in use
    Precision precision = Precision::float32;
    std::shared_ptr<const Model> model;  ///< null before the network is open
    /// Batches that a list keeps in flight: twice the sum of Backend::maxUnfinishedBatches() over
    /// all devices, so that a fast device stays busy while results are collected in order. The loss
    /// of a device does not change the number; opening the fallback does.
    std::size_t maxBatchesInFlight = 0;
    std::size_t maxBatchSize = 1;  ///< minimum over the devices in use, see Backend::maxBatchSize()
    std::optional<DeviceMemoryUse> memoryUse;  ///< sum over all devices, after their last call
    /// PCI bus ids of the GPUs in use, see Backend::pciBusId().
    std::vector<std::string> pciBusIds;
    bool onFallback = false;  ///< all devices were lost; the fallback is in use
    /// Number of times that devices were lost or replaced. Tells apart different devices with equal
    /// descriptions.
    std::size_t deviceChanges = 0;
    std::optional<ErrorReport> unusedGpu;  ///< NetworkDevices::unusedGpu
};

}  // namespace threefold
