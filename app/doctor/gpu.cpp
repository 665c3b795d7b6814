#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

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

std::vector<Check> checkDevices(const CudaPlugin& plugin) {
    constexpr double kBytesInGigabyte = 1e9;
    constexpr int kDigit = 10;
    try {
        const std::vector<GpuDescription> gpus = plugin.devices();
        std::vector<Check> checks;
        checks.push_back({kDriver, Check::Status::ok, gpus.front().driver});
        checks.push_back({"CUDA libraries", Check::Status::ok, gpus.front().libraries});
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            const GpuDescription& gpu = gpus[i];
            checks.push_back(
                {fmt::format("GPU {}", i), Check::Status::ok,
                 fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.1f} GB",
                             gpu.name, gpu.computeCapability / kDigit,
                             gpu.computeCapability % kDigit, gpu.multiprocessors,
                             static_cast<double>(gpu.memoryBytes) / kBytesInGigabyte)});
        }
        return checks;
    } catch (const Error& error) {
        return {checkKernelDriver(), failedCheck("GPU", Check::Status::warning, error)};
    }
}

}  // namespace

std::vector<Check> checkGpus() {
    try {
        const std::filesystem::path file = cudaPluginFile();
        const CudaPlugin& plugin = cudaPlugin();
        std::vector<Check> checks = {
            {kPlugin, Check::Status::ok, fmt::format("{}, {}", file.string(), plugin.version)}};
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
