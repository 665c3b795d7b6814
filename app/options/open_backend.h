#pragma once

#include <memory>
#include <optional>

#include "app/options/model_options.h"
#include "engine/network/cuda_plugin.h"

namespace threefold {

/// A backend, and the GPU that it is on, if any.
struct OpenedBackend {
    std::unique_ptr<Backend> backend;
    std::optional<GpuDescription> gpu;
};

/// How a benchmark wants its backend.
struct OpeningOptions {
    bool stageTimes = true;  ///< false: a GPU runs all stages as one, and times none of them
};

/// Loads the model and prepares the backend that was asked for. `automatic` takes the processor
/// where no GPU can be used, and says why not in one debug line; a precision that only GPUs have
/// makes that an error. A GPU that is lost later is replaced by the processor, with a warning.
/// Throws UsageError (checkModelOptions), what loadModel and makeCpuBackend throw, DeviceError,
/// and what reading the samples of --calibrate throws.
OpenedBackend openBackend(const ModelOptions& options, const OpeningOptions& opening = {});

/// What the plug-in is asked for, with everything in it: the samples of --calibrate are decoded.
CudaOptions cudaOptions(const ModelOptions& options, const std::shared_ptr<const Model>& model);

/// The GPU of that number. Throws DeviceError: no plug-in, no driver, no such device.
GpuDescription cudaDevice(int number);

}  // namespace threefold
