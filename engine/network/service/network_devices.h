#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "engine/network/backend.h"

namespace threefold {

/// Makes a back end; exceptions of its constructor propagate.
using BackendFactory = std::function<std::unique_ptr<Backend>()>;

/// Devices that a network runs on.
struct NetworkDevices {
    std::vector<std::unique_ptr<Backend>> backends = {};  ///< all with the same model and precision
    const BackendKind* kind = &kProcessorKind;            ///< kind of all back ends
    BackendFactory makeFallback = {};  ///< called after the loss of the last device; may be empty
    /// Why the machine's GPU is not used although the user chose no device; nullopt if the user
    /// chose a device, if a GPU is used, or if the machine has no GPU.
    std::optional<ErrorReport> unusedGpu = {};
};

/// A network's only device.
inline NetworkDevices oneDevice(std::unique_ptr<Backend> device, BackendFactory makeFallback = {}) {
    NetworkDevices devices;
    devices.backends.push_back(std::move(device));
    devices.makeFallback = std::move(makeFallback);
    return devices;
}

/// Opens the devices of a network; exceptions of their constructors propagate.
using NetworkOpener = std::function<NetworkDevices()>;

}  // namespace threefold
