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
    std::optional<GpuDescription> gpu;  ///< OpenedDevices::gpu; nullopt: the processor
};

/// Loads the model and opens the devices that the options name, which log to logLine(). Throws
/// UsageError (checkModelOptions), and what loadModel and openDevices(model, …) throw.
OpenedDevices openDevices(const ModelOptions& options);
/// Opens a network service on the devices of openDevices(options). Throws as openDevices() does.
OpenedNetwork openNetwork(const ModelOptions& options);

/// A GPU with the model and the options that the plug-in takes; for use without a network service.
struct ChosenGpu {
    GpuDescription gpu;
    std::shared_ptr<const Model> model;
    CudaOptions options;  ///< with the device, which cudaOptions() leaves out
};

/// Finds the GPU that --device names. Throws UsageError for several GPUs; otherwise throws as
/// checkModelOptions(), describeCudaGpu(), loadModel() and cudaOptions() do.
ChosenGpu chosenGpu(const ModelOptions& options);

}  // namespace threefold
