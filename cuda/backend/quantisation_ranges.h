#pragma once

#include <memory>
#include <optional>
#include <span>

#include "cuda/backend/device_model.h"
#include "cuda/backend/network_resources.h"
#include "cuda/runtime/tuning_plan.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {

/// Runs the network in float16 over all samples and returns the largest input magnitude of each
/// convolution of the hypothesis blocks. Throws InputError without samples, OutOfDeviceMemory,
/// DeviceError.
BlockQuantisationRanges measureRanges(const std::shared_ptr<const Model>& model,
                                      const DeviceLimits& limits, const NetworkResources& resources,
                                      std::span<const NetworkInput> samples);

/// Stores ranges in a plan.
void storeRanges(const BlockQuantisationRanges& ranges, TuningPlan& plan);
/// Ranges that storeRanges() stored; nullopt unless the plan has six ranges for every block.
std::optional<BlockQuantisationRanges> storedRanges(const TuningPlan& plan);

}  // namespace threefold::cuda
