#pragma once

#include <memory>
#include <optional>

#include "app/options/model_options.h"
#include "engine/network/service/network_service.h"
#include "engine/network/service/open_devices.h"

namespace threefold {

/// A network service on the opened devices.
struct OpenedNetwork {
    std::unique_ptr<NetworkService> network;
    std::optional<GpuDescription> gpu;
};

/// Loads the model and opens the devices that the options name, which log to logLine(). Throws
/// UsageError (checkModelOptions), and what loadModel and openDevices(model, …) throw.
OpenedDevices openDevices(const ModelOptions& options);
OpenedNetwork openNetwork(const ModelOptions& options);

/// One GPU with all that the plug-in needs to run on it without a network service.
struct ChosenGpu {
    GpuDescription gpu;
    std::shared_ptr<const Model> model;
    CudaOptions options;  ///< complete
};

/// The GPU that --device names. Throws UsageError for several GPUs (and checkModelOptions), and
/// what cudaGpu, loadModel and cudaOptions throw.
ChosenGpu chosenGpu(const ModelOptions& options);

}  // namespace threefold
