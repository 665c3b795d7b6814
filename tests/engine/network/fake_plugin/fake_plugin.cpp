#include "engine/network/cuda_plugin.h"

#include "engine/error.h"

namespace {

using threefold::CudaOptions;
using threefold::CudaPlugin;
using threefold::DeviceError;

std::vector<threefold::GpuDescription> devices() {
#if defined(FAKE_NO_DRIVER)
    throw DeviceError({"GPU", "", "there is no NVIDIA driver", "Install one."});
#else
    return {{"Stand-in", 90, 1, std::size_t{1} << 30, "0.0", "no libraries"}};
#endif
}

std::unique_ptr<threefold::Backend> makeBackend(std::shared_ptr<const threefold::Model> /*model*/,
                                                const CudaOptions& options) {
    throw DeviceError(
        {"GPU " + std::to_string(options.device), "", "stands in for one", "Use another."});
}

std::vector<threefold::GpuCheck> check(const std::shared_ptr<const threefold::Model>& /*model*/,
                                       const CudaOptions& /*options*/) {
    return {};
}

threefold::GpuCeilings ceilings(int /*device*/, threefold::Precision /*precision*/) {
    return {};
}

}  // namespace

#if defined(FAKE_NO_ENTRY)
#define ENTRY_NAME anotherLibrarysFunction
#else
#define ENTRY_NAME threefoldCudaPlugin
#endif

extern "C" const CudaPlugin* ENTRY_NAME() {
#if defined(FAKE_OLD_VERSION)
    const std::string version = "0.0.1";
#else
    const std::string version = threefold::cudaPluginVersion();
#endif
    static const CudaPlugin plugin{version, devices, makeBackend, check, ceilings};
    return &plugin;
}
