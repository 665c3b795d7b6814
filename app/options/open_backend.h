#pragma once

#include <memory>
#include <optional>

#include "app/options/options.h"
#include "engine/network/service/network_service.h"
#include "engine/network/service/open_devices.h"

namespace threefold {

/// A network service on the opened devices.
struct OpenedBackend {
    std::unique_ptr<NetworkService> network;
    std::optional<GpuDescription> gpu;
    const BackendKind* kind = nullptr;
};

/// Loads the model and opens the devices that the options name, which log to logLine(). Throws
/// UsageError (checkModelOptions), and what loadModel and openDevices(model, …) throw.
OpenedDevices openDevices(const ModelOptions& options);
OpenedBackend openBackend(const ModelOptions& options);

/// The GPU that --device names, and the model for it. Throws UsageError for several GPUs (and
/// checkModelOptions), and what loadModel and chosenCudaGpu throw.
struct GpuWithModel {
    GpuDescription gpu;
    std::shared_ptr<const Model> model;
    CudaOptions options;
};
GpuWithModel chosenGpu(const ModelOptions& options);

}  // namespace threefold
