#pragma once

#include <memory>
#include <vector>

#include "engine/network/cuda_options.h"
#include "engine/network/gpu_measurements.h"

namespace threefold::cuda {

/// CudaPlugin::check: in each precision of the device, compares each step of the network and the
/// whole mesh with the processor's float32, and checks that the same input twice gives the same
/// bits. In float32, also compares the MeshOperations (fit, nearest neighbours, earth mover's
/// distance).
/// Input: the first of `options.quantisationSamples`, else the first bundled sample with a truth.
std::vector<GpuCheck> checkDevice(const std::shared_ptr<const Model>& model,
                                  const CudaOptions& options);

}  // namespace threefold::cuda
