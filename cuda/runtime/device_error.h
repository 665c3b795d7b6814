#pragma once

#include "engine/error.h"

namespace threefold::cuda {

/// The device has too little free memory for what was asked. The context is still good: a smaller
/// batch may fit.
class OutOfDeviceMemory : public DeviceError {
    using DeviceError::DeviceError;
};

/// The device or its context is gone (illegal address, memory fault, unplugged, reset): every later
/// call in this process fails too. Only another backend can go on.
class DeviceLost : public DeviceError {
    using DeviceError::DeviceError;
};

}  // namespace threefold::cuda
