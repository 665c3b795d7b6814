#pragma once

#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {

/// CudaPlugin::ceilings: the best of a few large cuBLASLt products of random values in `precision`
/// (float32: strict), and of a few copies within the device's memory. Takes a fraction of a second
/// and up to a quarter of the free memory. Throws DeviceError, OutOfDeviceMemory.
GpuCeilings measureCeilings(int device, Precision precision);

}  // namespace threefold::cuda
