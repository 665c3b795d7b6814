#include "cuda/backend/device.h"
#include "cuda/backend/plugin_entries.h"
#include "engine/network/cuda_plugin.h"

extern "C" const threefold::CudaPlugin* threefoldCudaPlugin() {
    namespace cuda = threefold::cuda;
    static const threefold::CudaPlugin plugin{.version = threefold::cudaPluginVersion(),
                                              .devices = &cuda::describeDevices,
                                              .makeBackend = &cuda::makeCudaBackend,
                                              .check = &cuda::checkDevice,
                                              .peakRates = &cuda::measureGpuPeakRates,
                                              .timeSteps = &cuda::timeSteps,
                                              .makeRaster = &cuda::makeDeviceRaster,
                                              .architectures = cuda::builtArchitectures()};
    return &plugin;
}
