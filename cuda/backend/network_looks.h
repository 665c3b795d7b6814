#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "cuda/backend/lanes.h"
#include "cuda/backend/network.h"
#include "cuda/backend/weights.h"
#include "cuda/runtime/plan.h"
#include "engine/network/cuda_plugin.h"
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

/// The tensor's values as float32 without padding. Waits for `stream`; not while capturing. Throws
/// DeviceError.
std::vector<float> copyToHost(const DeviceTensor& tensor, cudaStream_t stream);

/// Times each step of one batch alone: a graph of it, replayed while nothing else runs. Its memory
/// is in the caches then, as far as it fits there. `report` is called as soon as a step was
/// measured. Throws Cancelled, DeviceError, and what `report` throws; both streams are idle then.
void timeSteps(Network& network, const Lanes& lanes, std::span<const NetworkInput> inputs,
               int replays, const std::function<void(const GpuStep&)>& report,
               const std::stop_token& cancel);

}  // namespace threefold::cuda
