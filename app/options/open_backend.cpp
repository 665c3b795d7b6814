#include "app/options/open_backend.h"

#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/console/logging.h"
#include "app/options/sample_list.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

using ModelRef = std::shared_ptr<const Model>;

bool processorHas(Precision precision) {
    return precision == Precision::float32 || precision == Precision::bfloat16;
}

std::unique_ptr<Backend> openCpu(const ModelOptions& options, const ModelRef& model) {
    CpuOptions cpu;
    cpu.precision = options.precision.value_or(Precision::float32);
    cpu.threads = options.threads;
    return makeCpuBackend(model, cpu);
}

OpenedBackend openCuda(const ModelOptions& options, const OpeningOptions& opening,
                       const ModelRef& model) {
    OpenedBackend opened;
    opened.gpu = cudaDevice(options.device);
    CudaOptions cuda = cudaOptions(options, model);
    cuda.stageTimes = opening.stageTimes;
    opened.backend = cudaPlugin().makeBackend(model, cuda);
    return opened;
}

OpenedBackend openEither(const ModelOptions& options, const OpeningOptions& opening,
                         const ModelRef& model) {
    if (options.backend == BackendChoice::cuda) return openCuda(options, opening, model);
    if (options.backend == BackendChoice::automatic) {
        try {
            return openCuda(options, opening, model);
        } catch (const DeviceError& error) {
            if (options.precision && !processorHas(*options.precision)) throw;
            spdlog::debug("no GPU is used: {}", error.what());
        }
    }
    return {openCpu(options, model), std::nullopt};
}

}  // namespace

GpuDescription cudaDevice(int number) {
    const std::vector<GpuDescription> devices = cudaPlugin().devices();
    if (static_cast<std::size_t>(number) < devices.size()) {
        return devices[static_cast<std::size_t>(number)];
    }
    throw DeviceError({"--device", std::to_string(number),
                       fmt::format("there {} {} GPU{}", devices.size() == 1 ? "is" : "are",
                                   devices.size(), devices.size() == 1 ? "" : "s"),
                       "`threefold doctor` lists them."});
}

CudaOptions cudaOptions(const ModelOptions& options, const std::shared_ptr<const Model>& model) {
    CudaOptions cuda;
    cuda.precision = options.precision.value_or(Precision::float16);
    cuda.device = options.device;
    cuda.libraryKernels = options.libraryKernels;
    cuda.log = logLine;
    cuda.processor = [model, threads = options.threads] {
        CpuOptions cpu;
        cpu.threads = threads;
        return makeCpuBackend(model, cpu);
    };
    if (options.calibration.empty()) return cuda;
    for (const std::string& name : expandSamples(options.calibration)) {
        const Sample sample = findSample(name, options.calibrationImages);
        cuda.calibration.push_back(loadViews(sample, kPublishedViews));
    }
    return cuda;
}

OpenedBackend openBackend(const ModelOptions& options, const OpeningOptions& opening) {
    checkModelOptions(options);
    const std::filesystem::path file = options.modelFile();
    const ModelRef model = loadModel(file);
    spdlog::debug("model {}, SHA-256 {}", file.string(), model->hash);
    OpenedBackend opened = openEither(options, opening, model);
    spdlog::debug("{}", opened.backend->description());
    return opened;
}

}  // namespace threefold
