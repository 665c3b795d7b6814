#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>

#include "cuda/backend/device_network.h"
#include "cuda/backend/stream_contexts.h"
#include "engine/network/cuda_options.h"
#include "engine/network/gpu_measurements.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {

/// Times each step of one batch alone, by replaying a CUDA graph of the step, with warm caches,
/// while nothing else runs. Calls `report` after each step. Throws Cancelled, DeviceError and
/// exceptions of `report`; after an exception the main and the side stream are idle.
void timeNetworkSteps(DeviceNetwork& network, const StreamContexts& contexts,
                      std::span<const NetworkInput> inputs, int replays,
                      const std::function<void(const CapturedStep&)>& report,
                      const std::stop_token& cancel);

/// CudaPlugin::timeSteps: timeNetworkSteps() of a network that is made for the batch `inputs`.
/// Also throws InputError without inputs.
void timeSteps(const std::shared_ptr<const Model>& model, const CudaOptions& options,
               std::span<const NetworkInput> inputs, int replays,
               const std::function<void(const CapturedStep&)>& report,
               const std::stop_token& cancel);

}  // namespace threefold::cuda
