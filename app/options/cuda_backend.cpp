#include "app/options/cuda_backend.h"

#include <fmt/format.h>

#include "app/console/logging.h"
#include "app/options/backends.h"
#include "app/options/sample_list.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

OpenedBackend open(const ModelOptions& options, const OpeningOptions& opening,
                   const std::shared_ptr<const Model>& model) {
    const GpuDescription gpu = cudaDevice(options.device);
    CudaOptions cuda = cudaOptions(options, model);
    cuda.stageTimes = opening.stageTimes;
    return {cudaPlugin().makeBackend(model, cuda), gpu, &kCudaKind};
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
    for (const NamedSample& named : expandSamples(options.calibration)) {
        const Sample sample = findNamed(named, {{}, options.calibrationImages});
        cuda.calibration.push_back(loadViews(sample, kPublishedViews));
    }
    return cuda;
}

extern const BackendEntry kCudaBackend;
const BackendEntry kCudaBackend{kCudaKind, open, checkGpus};

}  // namespace threefold
