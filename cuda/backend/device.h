#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {

/// The linked libraries' versions, as they report them.
struct LibraryVersions {
    std::string cuda;  ///< "13.0"
    std::string cublasLt;
    std::string cudnn;
    std::string cusparse;
};

/// A chosen device with its description and limits.
struct ChosenDevice {
    int index = 0;
    GpuDescription description;
    DeviceLimits limits;
    LibraryVersions versions;
};

/// The driver's own number, "580.65.06", from the text of /proc/driver/nvidia/version; empty if
/// there is none.
std::string driverVersionFrom(std::string_view text);

/// This machine's, from /proc or else from NVML; "unknown" if neither has it.
std::string driverVersion();

/// CudaPlugin::architectures of this build.
std::vector<int> builtArchitectures();

/// All devices in CUDA's order. Throws DeviceError where there is no driver or no GPU.
std::vector<GpuDescription> describeDevices();

/// Looks at device `index`, and makes it the calling thread's current one. Throws DeviceError:
/// no driver, no such device, too old, without `precision`, or one that no code was built for.
ChosenDevice chooseDevice(int index, Precision precision);

/// Makes it current again: a backend may be called from another thread than the one that made it.
void makeCurrent(const ChosenDevice& device);

}  // namespace threefold::cuda
