#pragma once

#include <memory>
#include <vector>

#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {

/// CudaPlugin::check: each step of the network on the device against the processor's float32, in
/// each precision that the device has; the whole mesh; the same input twice; the services. The
/// sample is the first of `options.calibration`, else the first bundled one that has a truth.
std::vector<GpuCheck> checkOps(const std::shared_ptr<const Model>& model,
                               const CudaOptions& options);

}  // namespace threefold::cuda
