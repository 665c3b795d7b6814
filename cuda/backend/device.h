#pragma once

#include <string>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "engine/devices/gpu_description.h"

namespace threefold::cuda {

/// Versions that the linked libraries report.
struct LibraryVersions {
    std::string cuda;  ///< "13.0"
    std::string cublasLt;
    std::string cudnn;
    std::string cusparse;
};

/// A chosen device with its description and limits.
struct DeviceInfo {
    int index = 0;
    GpuDescription description;
    DeviceLimits limits;
    LibraryVersions versions;
};

/// Value of CudaPlugin::computeCapabilities for this build.
std::vector<int> builtComputeCapabilities();

/// All devices in CUDA's order. Throws DeviceError where there is no driver or no GPU.
std::vector<GpuDescription> describeDevices();

/// Describes device `index` and makes it current in the calling thread. Throws DeviceError if there
/// is no driver or no such device, if the device is too old or lacks `precision`, or if this build
/// has no code for the device.
DeviceInfo chooseDevice(int index, Precision precision);

/// Makes the device current in the calling thread, which may differ from the thread that chose it.
void makeCurrent(const DeviceInfo& device);

}  // namespace threefold::cuda
