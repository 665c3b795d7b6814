#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/devices/gpu_description.h"
#include "engine/model/model.h"
#include "engine/network/backend.h"
#include "engine/network/cuda_options.h"
#include "engine/network/service/network_devices.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Devices for a network, and their options.
struct DeviceSettings {
    /// Null: GPUs if they can be used, else the processor.
    const BackendKind* backend = nullptr;
    std::optional<Precision> precision;  ///< nullopt: float32 on the processor, float16 on a GPU
    int threads = 0;                     ///< processor's threads; 0: as many as the process may use
    /// GPUs by the driver's numbers; nullopt: all usable GPUs.
    std::optional<std::vector<int>> gpus = {{0}};
    CudaTuning gpu = {};  ///< options of the GPU back end
    /// Reads the samples on which 8-bit ranges are measured; called after the device was found. If
    /// empty, or if no samples are returned: a GPU uses the ranges of its stored plan, or without a
    /// plan measures ranges on the bundled samples; the processor always measures ranges on the
    /// bundled samples.
    std::function<std::vector<NetworkInput>()> quantisationSamples = {};
    LogFunction log = {};
};

/// Opened devices of a network, with a description of their GPUs.
struct OpenedDevices {
    NetworkDevices devices;
    std::optional<GpuDescription> gpu;  ///< several GPUs: one merged description
};

/// Opens the requested devices. If no kind is requested and no GPU is usable, opens the processor
/// and logs the reason: a warning if the machine has a GPU, else at debug level. Throws instead if
/// the processor's back end lacks the requested precision. The processor takes over if all GPUs
/// are lost. Throws DeviceError; also throws as makeCpuBackend() and `quantisationSamples` do.
OpenedDevices openDevices(const std::shared_ptr<const Model>& model,
                          const DeviceSettings& settings);

/// Opens devices of one kind.
struct BackendOpener {
    const BackendKind& kind;
    /// Throws DeviceError if this kind cannot be used on this machine, and as openDevices() does.
    OpenedDevices (*open)(const std::shared_ptr<const Model>& model,
                          const DeviceSettings& settings);
    bool (*hasHardware)();  ///< whether the machine has such a device, usable or not
};

/// All kinds of back ends, the processor first.
std::span<const BackendOpener> backendOpeners();

/// The kind of that name; null if there is none.
const BackendKind* backendKindFromName(std::string_view name);

/// The GPU of that number. Throws DeviceError: no plug-in, no driver, no such device.
GpuDescription describeCudaGpu(int number);

/// Converts settings to options of the plug-in, except CudaOptions::device. Throws the exceptions
/// of DeviceSettings::quantisationSamples.
CudaOptions cudaOptions(const std::shared_ptr<const Model>& model, const DeviceSettings& settings);

/// BackendOpener::open of GPUs: opens the requested GPUs; if none are requested, all GPUs except
/// those that fail.
OpenedDevices openCudaDevices(const std::shared_ptr<const Model>& model,
                              const DeviceSettings& settings);

}  // namespace threefold
