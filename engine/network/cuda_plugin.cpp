#include "engine/network/cuda_plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSubject = "GPU";
constexpr const char* kVariable = "THREEFOLD_CUDA_PLUGIN";
constexpr const char* kFileName = "libthreefold_cuda.so";

fs::path programFolder() {
    std::error_code failure;
    return fs::read_symlink("/proc/self/exe", failure).parent_path();
}

/// The dynamic loader's message without the file's path, which the error names separately.
std::string loaderError(const fs::path& file) {
    const char* text = dlerror();
    std::string message = text != nullptr ? text : "unknown reason";
    const std::string prefix = file.string() + ": ";
    if (message.rfind(prefix, 0) == 0) message.erase(0, prefix.size());
    return message;
}

[[noreturn]] void throwNotLoaded(const fs::path& file) {
    const std::string reason = loaderError(file);
    const bool libraryMissing = reason.find("cannot open shared object file") != std::string::npos;
    throw DeviceError({file.string(), "", "cannot be loaded: " + reason,
                       libraryMissing
                           ? "Install CUDA 13's runtime libraries and cuDNN 9, or fetch "
                             "them as docs/GPU.md says and build again, "
                             "or use the processor (`backend=cpu`)."
                           : "Reinstall Threefold, or use the processor (`backend=cpu`)."});
}

/// The plug-in that the environment names; empty: none.
std::string pluginOfEnvironment() {
    const char* const chosen = std::getenv(kVariable);
    return chosen != nullptr ? chosen : "";
}

}  // namespace

fs::path cudaPluginFile() {
    std::error_code failure;
    const std::string chosen = pluginOfEnvironment();
    if (!chosen.empty()) {
        if (fs::is_regular_file(chosen, failure)) return fs::absolute(chosen, failure);
        throw DeviceError({kSubject, chosen, fmt::format("${} names no file", kVariable),
                           "Correct or unset it, or use the processor (`backend=cpu`)."});
    }
    const fs::path root = programFolder().parent_path();
    const std::array paths = {root / "lib" / kFileName, root / "lib" / "threefold" / kFileName};
    for (const fs::path& path : paths) {
        if (fs::is_regular_file(path, failure)) return path;
    }
    throw DeviceError({kSubject, "",
                       fmt::format("this build has no GPU plug-in: neither {} nor {} is there",
                                   paths[0].string(), paths[1].string()),
                       "Use the processor (`backend=cpu`), or build where nvcc and cuDNN 9 are "
                       "installed: docs/GPU.md says how."});
}

const CudaPlugin& openCudaPlugin(const fs::path& file) {
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) throwNotLoaded(file);
    const auto entry = reinterpret_cast<CudaPluginEntry>(dlsym(library, kCudaPluginEntry));
    const CudaPlugin* plugin = entry != nullptr ? entry() : nullptr;
    if (plugin == nullptr) {
        throw DeviceError({file.string(), "", "is not Threefold's GPU plug-in",
                           fmt::format("Correct ${}, or reinstall Threefold.", kVariable)});
    }
    if (plugin->version != cudaPluginVersion()) {
        throw DeviceError({file.string(), "",
                           fmt::format("is of another build ({}; the program is {})",
                                       plugin->version, cudaPluginVersion()),
                           "Install program and plug-in together."});
    }
    if (plugin->devices == nullptr || plugin->makeBackend == nullptr || plugin->check == nullptr ||
        plugin->peakRates == nullptr || plugin->timeSteps == nullptr ||
        plugin->makeRaster == nullptr) {
        throw DeviceError({file.string(), "", "lacks some of the plug-in's functions",
                           "Install program and plug-in together."});
    }
    return *plugin;
}

DeviceError noNvidiaDriverError() {
    return DeviceError(
        {kSubject, "", "no NVIDIA driver is installed",
         "Install NVIDIA's driver 580 or newer, or use the processor (`backend=cpu`)."});
}

void requireNvidiaDriver() {
    cudaPluginFile();
    if (!pluginOfEnvironment().empty()) return;
    if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) == nullptr)
        throw noNvidiaDriverError();
}

const CudaPlugin& cudaPlugin() {
    static const CudaPlugin* const plugin = &openCudaPlugin(cudaPluginFile());
    return *plugin;
}

DeviceRasterFactory cudaRasterFactory(int device) {
    struct Opened {
        std::mutex mutex;
        std::shared_ptr<raster::DeviceRaster> raster;
    };
    return [device, opened = std::make_shared<Opened>()] {
        const std::scoped_lock lock(opened->mutex);
        if (!opened->raster) opened->raster = cudaPlugin().makeRaster(device);
        return opened->raster;
    };
}

}  // namespace threefold
