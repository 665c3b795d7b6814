#pragma once

#include <memory>

#include "engine/network/cuda_options.h"

namespace threefold::cuda {

/// Implements CudaPlugin::makeBackend: makes a back end that runs the whole method on one GPU.
std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<const Model> model,
                                         const CudaOptions& options);

}  // namespace threefold::cuda
