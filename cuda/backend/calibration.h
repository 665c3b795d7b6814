#pragma once

#include <memory>
#include <optional>
#include <span>

#include "cuda/backend/lanes.h"
#include "cuda/backend/weights.h"
#include "cuda/runtime/plan.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {

/// The largest magnitude that enters each convolution of the hypothesis blocks over all samples, by
/// running the network in float16. Throws InputError where there is no sample; OutOfDeviceMemory,
/// DeviceError.
CalibratedRanges calibrate(const std::shared_ptr<const Model>& model, const DeviceLimits& limits,
                           Lanes& lanes, MemoryPool& deviceMemory, MemoryPool& pinnedMemory,
                           std::span<const NetworkInput> samples);

/// What a plan keeps of it, and back; nothing where the plan has no ranges of six for every block.
void keepRanges(const CalibratedRanges& ranges, Plan& plan);
std::optional<CalibratedRanges> keptRanges(const Plan& plan);

}  // namespace threefold::cuda
