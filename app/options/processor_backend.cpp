#include "app/options/open_backend.h"
#include "app/options/sample_list.h"
#include "engine/network/cpu_backend.h"

namespace threefold {
namespace {

OpenedDevices openProcessor(const ModelOptions& options, const OpeningOptions&,
                            const std::shared_ptr<const Model>& model) {
    CpuOptions cpu;
    cpu.precision = options.precision.value_or(Precision::float32);
    cpu.threads = options.threads;
    cpu.calibration = calibrationSamples(options);
    return {makeCpuBackend(model, cpu), std::nullopt, &kProcessorKind};
}

}  // namespace

extern const BackendEntry kProcessorBackend;
const BackendEntry kProcessorBackend{kProcessorKind, openProcessor, checkProcessor};

}  // namespace threefold
