#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "cuda/backend/device_model.h"
#include "cuda/backend/lanes.h"
#include "cuda/backend/network.h"
#include "cuda/runtime/plan.h"
#include "engine/network/gpu_bench.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {

/// Runs the network in float16 over all samples and returns the largest input magnitude of each
/// convolution of the hypothesis blocks. Throws InputError without samples, OutOfDeviceMemory,
/// DeviceError.
CalibratedRanges calibrate(const std::shared_ptr<const Model>& model, const DeviceLimits& limits,
                           Lanes& lanes, MemoryPool& deviceMemory, MemoryPool& pinnedMemory,
                           std::span<const NetworkInput> samples);

/// Store calibrated ranges in a plan and read them back; nullopt unless the plan has six ranges for
/// every block.
void storeRanges(const CalibratedRanges& ranges, Plan& plan);
std::optional<CalibratedRanges> storedRanges(const Plan& plan);

/// Copies a tensor's values to the host as float32 without padding. Waits for `stream`; not while
/// capturing. Throws DeviceError.
std::vector<float> copyToHost(const DeviceTensor& tensor, cudaStream_t stream);

/// Times each step of one batch alone, by replaying a graph of the step while nothing else runs, so
/// caches are warm. Calls `report` after each step. Throws Cancelled, DeviceError and exceptions of
/// `report`; both streams are idle then.
void timeSteps(Network& network, const Lanes& lanes, std::span<const NetworkInput> inputs,
               int replays, const std::function<void(const GpuStep&)>& report,
               const std::stop_token& cancel);

}  // namespace threefold::cuda
