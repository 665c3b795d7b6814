#include "cuda/backend/device.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <cusparse.h>

#include <fmt/format.h>

#include "cuda/backend/driver_version.h"
#include "cuda/runtime/check.h"
#include "engine/error.h"
#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {
namespace {

constexpr const char* kCpuRemedy = "Use the processor (`backend=cpu`).";

// CUDA writes 13.0 as 13000, cuDNN 9.13.1 as 91301, cuBLASLt 13.1.0 as 130100.
std::string cudaVersionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}
std::string libraryVersionText(std::size_t version) {
    return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}
std::string cusparseVersionText() {
    int parts[3] = {};
    constexpr libraryPropertyType kinds[3] = {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL};
    for (int i = 0; i < 3; ++i) CUSPARSE_CHECK(cusparseGetProperty(kinds[i], &parts[i]));
    return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
}

LibraryVersions libraryVersions() {
    int runtime = 0;
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    return {cudaVersionText(runtime), libraryVersionText(cublasLtGetVersion()),
            libraryVersionText(cudnnGetVersion()), cusparseVersionText()};
}

std::string oneLine(const LibraryVersions& versions) {
    return fmt::format("CUDA {}, cuBLASLt {}, cuDNN {}, cuSPARSE {}", versions.cuda,
                       versions.cublasLt, versions.cudnn, versions.cusparse);
}

int deviceCount() {
    int driver = 0;
    // Without a driver this call succeeds with version 0.
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        static_cast<void>(cudaGetLastError());
        throw noNvidiaDriverError();
    }
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver) {
        static_cast<void>(cudaGetLastError());
        int runtime = 0;
        static_cast<void>(cudaRuntimeGetVersion(&runtime));
        throw DeviceError(
            {"GPU", "",
             fmt::format("driver {} supports CUDA {} at most; CUDA {} is needed", driverVersion(),
                         cudaVersionText(driver), cudaVersionText(runtime)),
             "Install NVIDIA's driver 580 or newer, or use the processor (`backend=cpu`)."});
    }
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
        static_cast<void>(cudaGetLastError());
        throw DeviceError(
            {"GPU", "", "the driver sees no NVIDIA GPU",
             "Check CUDA_VISIBLE_DEVICES and nvidia-smi, or use the processor (`backend=cpu`)."});
    }
    CUDA_CHECK(status);
    return count;
}

GpuDescription describe(int index, const std::string& driver, const std::string& libraries) {
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    return {properties.name,
            properties.major * 10 + properties.minor,
            properties.multiProcessorCount,
            properties.totalGlobalMem,
            driver,
            libraries};
}

int attribute(cudaDeviceAttr kind, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, kind, device));
    return value;
}

}  // namespace

std::vector<int> builtComputeCapabilities() {
    return {THREEFOLD_CUDA_NATIVE};
}

std::vector<GpuDescription> describeDevices() {
    const int count = deviceCount();
    const std::string driver = driverVersion();
    const std::string libraries = oneLine(libraryVersions());
    std::vector<GpuDescription> devices;
    devices.reserve(static_cast<std::size_t>(count));
    for (int index = 0; index < count; ++index)
        devices.push_back(describe(index, driver, libraries));
    return devices;
}

DeviceInfo chooseDevice(int index, Precision precision) {
    const int count = deviceCount();
    if (index < 0 || index >= count)
        throw DeviceError(
            {fmt::format("GPU {}", index), "",
             fmt::format("does not exist: this machine has {}, counted from 0", count),
             "Choose one of them (`device`)."});
    DeviceInfo device;
    device.index = index;
    device.versions = libraryVersions();
    device.description = describe(index, driverVersion(), oneLine(device.versions));
    const int capability = device.description.computeCapability;
    const std::string subject = fmt::format("GPU {} ({})", index, device.description.name);
    if (capability < kMinCapability)
        throw DeviceError({subject, "",
                           fmt::format("has compute capability {}; at least 7.5 is required",
                                       capabilityText(capability)),
                           kCpuRemedy});
    if (const int needed = minCapability(precision); capability < needed)
        throw DeviceError({subject, "",
                           fmt::format("does not compute in {}, which needs compute capability {}; "
                                       "this GPU has {}",
                                       precisionName(precision), capabilityText(needed),
                                       capabilityText(capability)),
                           "Use float16 (`precision=float16`)."});
    if (!hasCodeFor(capability, builtComputeCapabilities()))
        throw DeviceError({subject, "",
                           fmt::format("has compute capability {}, and the plug-in has no code for "
                                       "it",
                                       capabilityText(capability)),
                           "Build again on this machine, or use the processor (`backend=cpu`)."});
    makeCurrent(device);
    device.limits.computeCapability = capability;
    device.limits.multiprocessors = device.description.multiprocessorCount;
    device.limits.sharedBytesPerBlock =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, index));
    device.limits.cooperativeLaunch = attribute(cudaDevAttrCooperativeLaunch, index) != 0;
    return device;
}

void makeCurrent(const DeviceInfo& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
}

}  // namespace threefold::cuda
