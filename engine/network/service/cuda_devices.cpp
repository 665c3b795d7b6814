#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/devices/gpu_presence.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/service/open_devices.h"

namespace threefold {
namespace {

/// Merges the descriptions of several GPUs, for reports.
GpuDescription mergedDescription(std::span<const GpuDescription> gpus) {
    GpuDescription merged = gpus.front();
    if (gpus.size() == 1) return merged;
    const bool sameName = std::ranges::all_of(
        gpus, [&](const GpuDescription& gpu) { return gpu.name == merged.name; });
    if (sameName) {
        merged.name = fmt::format("{} × {}", gpus.size(), merged.name);
    } else {
        for (const GpuDescription& gpu : gpus.subspan(1)) merged.name += " + " + gpu.name;
    }
    return merged;
}

}  // namespace

GpuDescription describeCudaGpu(int number) {
    const std::vector<GpuDescription> devices = cudaPlugin().devices();
    if (static_cast<std::size_t>(number) < devices.size())
        return devices[static_cast<std::size_t>(number)];
    const bool isOne = devices.size() == 1;
    throw DeviceError(
        {"`device`", std::to_string(number),
         fmt::format("there {} {} GPU{}", isOne ? "is" : "are", devices.size(), isOne ? "" : "s"),
         "Choose one of this machine's devices (`doctor`)."});
}

CudaOptions cudaOptions(const std::shared_ptr<const Model>& model, const DeviceSettings& settings) {
    CudaOptions cuda{.tuning = settings.gpu};
    cuda.precision = settings.precision.value_or(Precision::float16);
    cuda.log = settings.log;
    cuda.makeProcessorBackend = [model, threads = settings.threads] {
        CpuOptions cpu;
        cpu.threads = threads;
        return makeCpuBackend(model, cpu);
    };
    if (settings.quantisationSamples) cuda.quantisationSamples = settings.quantisationSamples();
    return cuda;
}

OpenedDevices openCudaDevices(const std::shared_ptr<const Model>& model,
                              const DeviceSettings& settings) {
    if (settings.gpus && settings.gpus->empty())
        throw UsageError(
            {"`device`", "", "names no GPU", "Choose one of this machine's devices (`doctor`)."});
    requireNvidiaDriver();
    std::vector<int> numbers = settings.gpus.value_or(std::vector{0});
    // Reports missing GPUs before quantisation samples are decoded.
    for (const int number : numbers) describeCudaGpu(number);
    CudaOptions cuda = cudaOptions(model, settings);
    const std::vector<GpuDescription> descriptions = cudaPlugin().devices();
    if (!settings.gpus) {
        numbers.resize(descriptions.size());
        std::iota(numbers.begin(), numbers.end(), 0);
    }
    NetworkDevices devices;
    devices.kind = &kCudaKind;
    devices.makeFallback = cuda.makeProcessorBackend;
    std::vector<GpuDescription> used;
    for (const int number : numbers) {
        cuda.device = number;
        try {
            devices.backends.push_back(cudaPlugin().makeBackend(model, cuda));
            used.push_back(descriptions.at(static_cast<std::size_t>(number)));
        } catch (const DeviceError& error) {
            if (settings.gpus || (used.empty() && number == numbers.back())) throw;
            if (settings.log)
                settings.log(LogLevel::warning,
                             fmt::format("without GPU {}: {}", number, error.what()));
        }
    }
    return {std::move(devices), mergedDescription(used)};
}

}  // namespace threefold
