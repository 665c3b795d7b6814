#pragma once

#include <memory>

#include "app/options/options.h"
#include "engine/network/cuda_plugin.h"

namespace threefold {

/// The complete request to the plug-in but for the device: the samples of --calibrate are decoded.
/// Throws what reading them throws.
CudaOptions cudaOptions(const ModelOptions& options, const std::shared_ptr<const Model>& model);

/// The GPU of that number. Throws DeviceError: no plug-in, no driver, no such device.
GpuDescription cudaDevice(int number);

/// The number of the one GPU that is chosen. Throws UsageError where several are.
int onlyDevice(const ModelOptions& options);

}  // namespace threefold
