#pragma once

#include <memory>

#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {

/// CudaPlugin::makeBackend: the whole method on one GPU.
std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<const Model> model,
                                         const CudaOptions& options);

/// CudaPlugin::timeSteps.
void timeSteps(const std::shared_ptr<const Model>& model, const CudaOptions& options,
               std::span<const NetworkInput> inputs, int replays,
               const std::function<void(const GpuStep&)>& report, const std::stop_token& cancel);

}  // namespace threefold::cuda
