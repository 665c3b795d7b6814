#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/model/model.h"
#include "engine/network/backend.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/service/devices.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Which devices a network is to run on, and how.
struct DeviceRequest {
    /// Null: the first GPU that can be used, else the processor.
    const BackendKind* backend = nullptr;
    std::optional<Precision> precision;  ///< none: float32 on the processor, float16 on a GPU
    int threads = 0;                     ///< of the processor; 0: all that the process may use
    /// GPUs by the driver's numbers; none: all that can be used.
    std::optional<std::vector<int>> gpus = {{0}};
    /// Of these, `precision`, `device`, `calibration`, `log` and `processor` do not count: they
    /// follow from the other members.
    CudaOptions gpu = {};
    /// Reads the samples that 8-bit ranges are measured on, once the device is known to be there.
    /// Empty, or giving none: a GPU takes the ranges in its plan, else measures the bundled
    /// samples, as the processor always does.
    std::function<std::vector<NetworkInput>()> calibration = {};
    LogFunction log = {};
};

/// Devices of a network, and the GPU among them, if any.
struct OpenedDevices {
    NetworkDevices devices;
    std::optional<GpuDescription> gpu;  ///< several GPUs: described together
    const BackendKind* kind = nullptr;
};

/// Prepares the requested devices. Without a request for one kind, `log` gets a line on why no GPU
/// is used: a warning where the machine has one, else for debugging; where the processor lacks the
/// precision, it is an error. A GPU that is lost later is replaced by the processor. Throws
/// DeviceError, what makeCpuBackend() throws, and what `calibration` throws.
OpenedDevices openDevices(const std::shared_ptr<const Model>& model, const DeviceRequest& request);

/// How the devices of one kind are opened.
struct BackendOpener {
    const BackendKind& kind;
    /// Throws DeviceError where it cannot be used here, and as openDevices() does.
    OpenedDevices (*open)(const std::shared_ptr<const Model>& model, const DeviceRequest& request);
    bool (*isThere)();  ///< whether the machine has such a device, usable or not
};

/// All kinds of backends, the processor's first.
std::span<const BackendOpener> backendOpeners();

/// The kind of that name; null: none.
const BackendKind* backendKind(std::string_view name);

/// The GPU of that number. Throws DeviceError: no plug-in, no driver, no such device.
GpuDescription cudaGpu(int number);

/// The request as options of the plug-in, complete but for the device's number. Throws the errors
/// of DeviceRequest::calibration.
CudaOptions cudaOptions(const std::shared_ptr<const Model>& model, const DeviceRequest& request);

/// BackendOpener::open of the GPUs: those that the request names, or all that can be used, without
/// those that fail.
OpenedDevices openCudaDevices(const std::shared_ptr<const Model>& model,
                              const DeviceRequest& request);

}  // namespace threefold
