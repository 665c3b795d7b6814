#include "cuda/backend/device.h"
#include "cuda/backend/plugin_entries.h"
#include "engine/network/cuda_plugin.h"

namespace threefold::cuda {
namespace {

const CudaPlugin& table() {
    static const CudaPlugin plugin = [] {
        CudaPlugin entries;
        entries.version = cudaPluginVersion();
        entries.devices = &describeDevices;
        entries.makeBackend = &makeCudaBackend;
        entries.check = &checkOps;
        entries.ceilings = &measureCeilings;
        entries.timeSteps = &timeSteps;
        entries.makeRaster = &makeDeviceRaster;
        entries.architectures = builtArchitectures();
        return entries;
    }();
    return plugin;
}

}  // namespace
}  // namespace threefold::cuda

extern "C" const threefold::CudaPlugin* threefoldCudaPlugin() {
    return &threefold::cuda::table();
}
