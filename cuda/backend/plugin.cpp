#include "cuda/backend/cuda_backend.h"
#include "cuda/backend/device.h"
#include "cuda/backend/device_check.h"
#include "cuda/backend/device_raster.h"
#include "cuda/backend/peak_rates.h"
#include "cuda/backend/time_steps.h"
#include "engine/network/cuda_plugin.h"

extern "C" const threefold::CudaPlugin* threefoldCudaPlugin() {
    namespace cuda = threefold::cuda;
    static const threefold::CudaPlugin plugin{
        .version = threefold::cudaPluginVersion(),
        .devices = &cuda::describeDevices,
        .makeBackend = &cuda::makeCudaBackend,
        .check = &cuda::checkDevice,
        .peakRates = &cuda::measureGpuPeakRates,
        .timeSteps = &cuda::timeSteps,
        .makeRaster = &cuda::makeDeviceRaster,
        .computeCapabilities = cuda::builtComputeCapabilities()};
    return &plugin;
}
