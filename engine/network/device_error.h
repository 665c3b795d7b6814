#pragma once

#include <cstddef>
#include <utility>

#include "engine/error.h"

namespace threefold {

/// A GPU has too little memory left. The device is well: a smaller request may succeed.
class OutOfDeviceMemory : public DeviceError {
  public:
    /// `requestedBytes`: the allocation that failed. `freeBytes`: what the device had left then.
    /// Both 0 where they are not known.
    explicit OutOfDeviceMemory(ErrorReport report, std::size_t requestedBytes = 0,
                               std::size_t freeBytes = 0)
        : DeviceError(std::move(report)), requestedBytes_(requestedBytes), freeBytes_(freeBytes) {}

    std::size_t requestedBytes() const { return requestedBytes_; }
    std::size_t freeBytes() const { return freeBytes_; }

  private:
    std::size_t requestedBytes_;
    std::size_t freeBytes_;
};

/// A GPU fell off, or its context is beyond repair (a sticky CUDA error): nothing on it can be used
/// any more in this process. Another device, or the processor, can.
class DeviceLost : public DeviceError {
    using DeviceError::DeviceError;
};

}  // namespace threefold
