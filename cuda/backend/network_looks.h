#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "cuda/backend/network.h"
#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {

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
