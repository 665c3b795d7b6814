#include "app/options/open_backend.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/configuration/configuration.h"
#include "app/console/output.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"

namespace threefold {
namespace {

struct OpenedGpus {
    std::vector<std::unique_ptr<Backend>> backends;
    std::vector<GpuDescription> gpus;
};

/// All GPUs that can be used; throws the last one's DeviceError where none can.
OpenedGpus openAll(const std::shared_ptr<const Model>& model, CudaOptions cuda) {
    OpenedGpus opened;
    const std::vector<GpuDescription> gpus = cudaPlugin().devices();
    for (std::size_t number = 0; number < gpus.size(); ++number) {
        cuda.device = static_cast<int>(number);
        try {
            opened.backends.push_back(cudaPlugin().makeBackend(model, cuda));
            opened.gpus.push_back(gpus[number]);
        } catch (const DeviceError& error) {
            if (number + 1 == gpus.size() && opened.backends.empty()) throw;
            logLine(LogLevel::warning, fmt::format("without GPU {}: {}", number, error.what()));
        }
    }
    return opened;
}

OpenedGpus openNumbered(std::span<const int> numbers, const std::shared_ptr<const Model>& model,
                        CudaOptions cuda) {
    OpenedGpus opened;
    for (const int number : numbers) opened.gpus.push_back(cudaDevice(number));
    for (const int number : numbers) {
        cuda.device = number;
        opened.backends.push_back(cudaPlugin().makeBackend(model, cuda));
    }
    return opened;
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

OpenedDevices openCuda(const ModelOptions& options, const OpeningOptions& opening,
                       const std::shared_ptr<const Model>& model) {
    requireNvidiaDriver();
    const std::optional<std::vector<int>> numbers = deviceNumbers(options.device);
    // Reports problems before samples to calibrate on are decoded.
    cudaDevice(numbers ? numbers->front() : 0);
    CudaOptions cuda = cudaOptions(options, model);
    cuda.stageTimes = opening.stageTimes;
    cuda.entropy = opening.entropy;
    OpenedGpus opened = numbers ? openNumbered(*numbers, model, cuda) : openAll(model, cuda);
    NetworkDevices devices;
    devices.devices = std::move(opened.backends);
    devices.spare = cuda.processor;
    return {std::move(devices), together(opened.gpus), &kCudaKind};
}

}  // namespace

GpuDescription cudaDevice(int number) {
    const std::vector<GpuDescription> devices = cudaPlugin().devices();
    if (static_cast<std::size_t>(number) < devices.size())
        return devices[static_cast<std::size_t>(number)];
    throw DeviceError({"--device", std::to_string(number),
                       fmt::format("there {} {} GPU{}", devices.size() == 1 ? "is" : "are",
                                   devices.size(), devices.size() == 1 ? "" : "s"),
                       "`threefold doctor` lists them."});
}

int onlyDevice(const ModelOptions& options) {
    const std::optional<std::vector<int>> numbers = deviceNumbers(options.device);
    if (numbers && numbers->size() == 1) return numbers->front();
    throw UsageError({"--device", options.device, "names several GPUs, and this looks at one",
                      "Give one number."});
}

CudaOptions cudaOptions(const ModelOptions& options, const std::shared_ptr<const Model>& model) {
    CudaOptions cuda = options.gpu;
    cuda.memoryBytes = options.gpuMemoryMib << 20U;
    cuda.graphBytes = options.graphCacheMib << 20U;
    cuda.precision = options.precision.value_or(Precision::float16);
    cuda.libraryKernels = options.libraryKernels;
    cuda.log = logLine;
    cuda.processor = [model, threads = options.threads] {
        CpuOptions cpu;
        cpu.threads = threads;
        return makeCpuBackend(model, cpu);
    };
    cuda.calibration = calibrationSamples(options);
    return cuda;
}

extern const BackendEntry kCudaBackend{kCudaKind, openCuda, checkGpus};

}  // namespace threefold
