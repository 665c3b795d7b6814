#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/doctor/check.h"
#include "app/options/options.h"
#include "engine/network/backend.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/service/network_service.h"

namespace threefold {

/// What a network runs on, and the GPU among that, if any.
struct OpenedDevices {
    NetworkDevices devices;
    std::optional<GpuDescription> gpu;
    const BackendKind* kind = nullptr;
};

/// A network service on the opened devices.
struct OpenedBackend {
    std::unique_ptr<NetworkService> network;
    std::optional<GpuDescription> gpu;
    const BackendKind* kind = nullptr;
};

/// Loads the model and prepares the chosen backend. Without a choice the first GPU that can be used
/// is taken, else the processor. Why no GPU is used goes to one line of the log: a warning where
/// the machine has one, else for --verbose; and it is an error where the precision needs one. A GPU
/// that is lost later is replaced by the processor, with a warning. Throws UsageError
/// (checkModelOptions), what loadModel and makeCpuBackend throw, DeviceError, and what reading the
/// samples of --calibrate throws.
OpenedDevices openDevices(const ModelOptions& options);
OpenedBackend openBackend(const ModelOptions& options);

/// One choice of `--backend`. A new one is a file that defines it and a line in backends.inl.
struct BackendEntry {
    const BackendKind& kind;
    /// Throws DeviceError where it cannot be used here, and as openDevices() does.
    OpenedDevices (*open)(const ModelOptions& options, const std::shared_ptr<const Model>& model);
    bool (*isThere)();              ///< whether the machine has such a device, usable or not
    std::vector<Check> (*check)();  ///< for `threefold doctor`
};

/// All of them, in the order of the help; the first one is the processor's.
std::span<const BackendEntry* const> backends();

/// One GPU with all that the plug-in needs to run on it without a network service.
struct ChosenGpu {
    GpuDescription gpu;
    std::shared_ptr<const Model> model;
    CudaOptions options;  ///< complete: samples of --calibrate are decoded
};

/// The GPU that --device names. Throws UsageError for several GPUs (and checkModelOptions),
/// DeviceError without plug-in, driver or such a device, what loading the model and reading the
/// samples throws.
ChosenGpu chosenGpu(const ModelOptions& options);

}  // namespace threefold
