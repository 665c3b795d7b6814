#pragma once

#include <cstddef>
#include <utility>

#include "engine/error.h"

namespace threefold {

/// A GPU has too little free memory. The device still works: a smaller request may succeed.
class OutOfDeviceMemory : public DeviceError {
  public:
    /// `requestedBytes`: size of the failed allocation. `freeBytes`: free device memory at that
    /// time. Both are 0 if unknown.
    explicit OutOfDeviceMemory(ErrorReport report, std::size_t requestedBytes = 0,
                               std::size_t freeBytes = 0)
        : DeviceError(std::move(report)), requestedBytes_(requestedBytes), freeBytes_(freeBytes) {}

    std::size_t requestedBytes() const { return requestedBytes_; }
    std::size_t freeBytes() const { return freeBytes_; }

  private:
    std::size_t requestedBytes_;
    std::size_t freeBytes_;
};

/// A GPU disappeared, or its context is broken (a sticky CUDA error). This process cannot use the
/// device again, but can use another device or the processor.
class DeviceLost : public DeviceError {
    using DeviceError::DeviceError;
};

}  // namespace threefold
