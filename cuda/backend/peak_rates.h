#pragma once

#include "engine/network/gpu_measurements.h"
#include "engine/network/precision.h"

namespace threefold::cuda {

/// CudaPlugin::peakRates: the best of a few large cuBLASLt products of random values in `precision`
/// (float32: strict), and of a few copies within the device's memory. Takes a fraction of a second
/// and up to a quarter of the free memory. Throws DeviceError, OutOfDeviceMemory.
GpuPeakRates measureGpuPeakRates(int device, Precision precision);

}  // namespace threefold::cuda
