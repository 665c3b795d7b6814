#include "app/options/open_backend.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "app/configuration/configuration.h"
#include "app/console/output.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/network/gpu_presence.h"

namespace threefold {
namespace {

/// The GPU of that number. Throws DeviceError: no plug-in, no driver, no such device.
GpuDescription cudaDevice(int number) {
    const std::vector<GpuDescription> devices = cudaPlugin().devices();
    if (static_cast<std::size_t>(number) < devices.size())
        return devices[static_cast<std::size_t>(number)];
    throw DeviceError({"--device", std::to_string(number),
                       fmt::format("there {} {} GPU{}", devices.size() == 1 ? "is" : "are",
                                   devices.size(), devices.size() == 1 ? "" : "s"),
                       "`threefold doctor` lists them."});
}

/// The complete request to the plug-in but for the device: the samples of --calibrate are decoded.
CudaOptions cudaOptions(const ModelOptions& options, const std::shared_ptr<const Model>& model) {
    CudaOptions cuda = options.gpu;
    cuda.memoryBytes = options.gpuMemoryMib << 20U;
    cuda.graphBytes = options.graphCacheMib << 20U;
    cuda.precision = options.precision.value_or(Precision::float16);
    cuda.log = logLine;
    cuda.processor = [model, threads = options.threads] {
        CpuOptions cpu;
        cpu.threads = threads;
        return makeCpuBackend(model, cpu);
    };
    cuda.calibration = calibrationSamples(options);
    return cuda;
}

/// What reports say of them.
GpuDescription together(std::span<const GpuDescription> gpus) {
    GpuDescription all = gpus.front();
    if (gpus.size() == 1) return all;
    const bool alike =
        std::ranges::all_of(gpus, [&](const GpuDescription& gpu) { return gpu.name == all.name; });
    if (alike) {
        all.name = fmt::format("{} × {}", gpus.size(), all.name);
    } else {
        for (const GpuDescription& gpu : gpus.subspan(1)) all.name += " + " + gpu.name;
    }
    return all;
}

/// Each GPU that is named, else all that can be used; throws the last one's DeviceError where none
/// can.
OpenedDevices openCuda(const ModelOptions& options, const std::shared_ptr<const Model>& model) {
    requireNvidiaDriver();
    const std::optional<std::vector<int>> named = deviceNumbers(options.device);
    std::vector<int> numbers = named.value_or(std::vector{0});
    // Reports problems before samples to calibrate on are decoded.
    for (const int number : numbers) cudaDevice(number);
    CudaOptions cuda = cudaOptions(options, model);
    const std::vector<GpuDescription> all = cudaPlugin().devices();
    if (!named) {
        numbers.resize(all.size());
        std::iota(numbers.begin(), numbers.end(), 0);
    }
    NetworkDevices devices;
    devices.spare = cuda.processor;
    std::vector<GpuDescription> used;
    for (const int number : numbers) {
        cuda.device = number;
        try {
            devices.devices.push_back(cudaPlugin().makeBackend(model, cuda));
            used.push_back(all.at(static_cast<std::size_t>(number)));
        } catch (const DeviceError& error) {
            if (named || (used.empty() && number == numbers.back())) throw;
            logLine(LogLevel::warning, fmt::format("without GPU {}: {}", number, error.what()));
        }
    }
    return {std::move(devices), together(used), &kCudaKind};
}

}  // namespace

ChosenGpu chosenGpu(const ModelOptions& options) {
    checkModelOptions(options);
    const std::optional<std::vector<int>> numbers = deviceNumbers(options.device);
    if (!numbers || numbers->size() != 1)
        throw UsageError({"--device", options.device, "names several GPUs, and this looks at one",
                          "Give one number."});
    ChosenGpu chosen{cudaDevice(numbers->front()), loadModel(options.modelFile()), {}};
    chosen.options = cudaOptions(options, chosen.model);
    chosen.options.device = numbers->front();
    return chosen;
}

extern const BackendEntry kCudaBackend{kCudaKind, openCuda, [] { return hasNvidiaGpu(); },
                                       checkGpus};

}  // namespace threefold
