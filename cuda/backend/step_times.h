#pragma once

#include <functional>
#include <stop_token>

#include "cuda/backend/network.h"
#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {

/// Times each step of one batch alone: a graph of it, replayed while
/// nothing else runs. Its memory is in the caches then, as far as it fits there. `report` is called
/// as soon as a step was measured. Throws Cancelled, DeviceError, and what `report` throws; both
/// streams are idle then.
void timeSteps(Network& network, const Lanes& lanes, std::span<const NetworkInput> inputs,
               int replays, const std::function<void(const GpuStep&)>& report,
               const std::stop_token& cancel);

}  // namespace threefold::cuda
