#include <link.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "app/doctor/check.h"
#include "engine/error.h"
#include "engine/network/cuda_plugin.h"

namespace threefold {
namespace {

constexpr const char* kPlugin = "CUDA plug-in";
constexpr const char* kDriver = "NVIDIA driver";
constexpr const char* kDriverRemedy =
    "Install NVIDIA's driver, 580 or newer; without one the processor computes.";

/// The driver that the kernel reports, for where no plug-in can ask CUDA.
Check checkKernelDriver() {
    std::ifstream stream("/proc/driver/nvidia/version");
    std::string line;
    if (std::getline(stream, line)) return {kDriver, Check::Status::ok, line};
    return {kDriver, Check::Status::warning, "none is loaded", kDriverRemedy};
}

/// NVIDIA's libraries as the plug-in found them: versions, where a GPU let them say so, and
/// folders.
Check checkLibraries(const std::string& versions) {
    std::set<std::string> folders;
    dl_iterate_phdr(
        [](dl_phdr_info* library, std::size_t, void* found) {
            const std::filesystem::path file(library->dlpi_name);
            for (const char* name : {"libcudnn.so", "libcublasLt.so", "libcusparse.so"}) {
                if (file.filename().string().starts_with(name))
                    static_cast<std::set<std::string>*>(found)->insert(file.parent_path());
            }
            return 0;
        },
        &folders);
    const char* between = versions.empty() || folders.empty() ? "" : ", in ";
    return {"CUDA libraries", Check::Status::ok,
            fmt::format("{}{}{}", versions, between, fmt::join(folders, " and "))};
}

std::string architecturesText(const std::vector<int>& architectures) {
    std::vector<std::string> texts;
    std::ranges::transform(architectures, std::back_inserter(texts), capabilityText);
    return fmt::format("{}", fmt::join(texts, " "));
}

std::vector<Check> checkDevices(const CudaPlugin& plugin) {
    constexpr double kBytesInGigabyte = 1e9;
    try {
        const std::vector<GpuDescription> gpus = plugin.devices();
        std::vector<Check> checks;
        checks.push_back({kDriver, Check::Status::ok, gpus.front().driver});
        checks.push_back(checkLibraries(gpus.front().libraries));
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            const GpuDescription& gpu = gpus[i];
            Check check{
                fmt::format("GPU {}", i), Check::Status::ok,
                fmt::format("{}, compute capability {}, {} multiprocessors, {:.1f} GB", gpu.name,
                            capabilityText(gpu.computeCapability), gpu.multiprocessors,
                            static_cast<double>(gpu.memoryBytes) / kBytesInGigabyte)};
            if (!hasCodeFor(gpu.computeCapability, plugin.architectures)) {
                check.status = Check::Status::warning;
                check.found += ", for which the plug-in has no code";
                check.remedy = "Build again on this machine: `packaging/run --build-only`.";
            }
            checks.push_back(std::move(check));
        }
        return checks;
    } catch (const Error& error) {
        return {checkKernelDriver(), checkLibraries(""),
                failedCheck("GPU", Check::Status::warning, error)};
    }
}

}  // namespace

std::vector<Check> checkGpus() {
    try {
        const std::filesystem::path file = cudaPluginFile();
        const CudaPlugin& plugin = cudaPlugin();
        std::vector<Check> checks = {
            {kPlugin, Check::Status::ok,
             fmt::format("{}, {}, code for {}", file.string(), plugin.version,
                         architecturesText(plugin.architectures))}};
        for (Check& check : checkDevices(plugin)) checks.push_back(std::move(check));
        return checks;
    } catch (const Error& error) {
        return {failedCheck(kPlugin, Check::Status::warning, error),
                checkKernelDriver(),
                {"GPU", Check::Status::warning, "not checked: there is no plug-in to ask CUDA",
                 "See the plug-in's line above."}};
    }
}

}  // namespace threefold
