#pragma once

#include <cstddef>
#include <utility>

#include "engine/error.h"

namespace threefold {

/// A GPU has too little free memory. The device still works: a smaller request may succeed.
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

/// A GPU disappeared, or its context is broken (a sticky CUDA error): this process cannot use the
/// device again. It can use another device or the processor.
class DeviceLost : public DeviceError {
    using DeviceError::DeviceError;
};

}  // namespace threefold
