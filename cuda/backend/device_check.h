#pragma once

#include <memory>
#include <vector>

#include "engine/network/cuda_options.h"
#include "engine/network/gpu_measurements.h"

namespace threefold::cuda {

/// CudaPlugin::check: compares each step of the network on the device with the processor's float32,
/// in each precision of the device; also the whole mesh, that the same input twice gives the same
/// bits, and the MeshOperations (fit, nearest neighbours, earth mover's distance).
/// Input: the first of `options.quantisationSamples`, else the first bundled sample with a truth.
std::vector<GpuCheck> checkDevice(const std::shared_ptr<const Model>& model,
                                  const CudaOptions& options);

}  // namespace threefold::cuda
