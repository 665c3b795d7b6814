#include "app/options/open_backend.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/console/output.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/bundled_samples.h"

namespace threefold {
namespace {

/// A GPU that cannot be used sends to the processor, which may lack the precision.
OpenedDevices openGpu(const BackendEntry& gpu, const ModelOptions& options,
                      const std::shared_ptr<const Model>& model) {
    try {
        return gpu.open(options, model);
    } catch (const DeviceError& error) {
        const std::vector<Precision> others = processorPrecisions();
        if (!options.precision || std::ranges::count(others, *options.precision) > 0) throw;
        ErrorReport report = error.report();
        report.remedy =
            fmt::format("This processor has no {} either: without such a GPU, use --precision {}.",
                        precisionName(*options.precision), processorPrecisionNames());
        throw DeviceError(report);
    }
}

OpenedDevices openChosen(const ModelOptions& options, const std::shared_ptr<const Model>& model) {
    if (options.backend != nullptr)
        return options.backend->kind.usesGpu ? openGpu(*options.backend, options, model)
                                             : options.backend->open(options, model);
    const BackendEntry& processor = *backends().front();
    std::optional<ErrorReport> unused;
    for (const BackendEntry* backend : backends()) {
        if (!backend->kind.usesGpu) continue;
        try {
            return openGpu(*backend, options, model);
        } catch (const DeviceError& error) {
            if (options.precision && !processor.kind.has(*options.precision)) throw;
            const bool isThere = backend->isThere();
            spdlog::log(isThere ? spdlog::level::warn : spdlog::level::debug, "no GPU is used: {}",
                        error.what());
            if (isThere) unused = error.report();
        }
    }
    OpenedDevices opened = processor.open(options, model);
    opened.devices.unusedGpu = std::move(unused);
    return opened;
}

OpenedDevices openProcessor(const ModelOptions& options,
                            const std::shared_ptr<const Model>& model) {
    CpuOptions cpu;
    cpu.precision = options.precision.value_or(Precision::float32);
    cpu.threads = options.threads;
    cpu.calibration = calibrationSamples(options);
    if (cpu.precision == Precision::int8 && cpu.calibration.empty())
        cpu.calibration = bundledCalibration();
    return {makeCpuBackend(model, cpu), std::nullopt, &kProcessorKind};
}

}  // namespace

OpenedDevices openDevices(const ModelOptions& options) {
    checkModelOptions(options);
    const std::filesystem::path file = options.modelFile();
    const std::shared_ptr<const Model> model = aboutFile(file, [&] { return loadModel(file); });
    spdlog::debug("model {}, SHA-256 {}", file.string(), model->hash);
    return openChosen(options, model);
}

OpenedBackend openBackend(const ModelOptions& options) {
    OpenedDevices opened = openDevices(options);
    NetworkServiceOptions service;
    service.listener.log = logLine;
    auto network = std::make_unique<NetworkService>(std::move(opened.devices), std::move(service));
    spdlog::debug("{}", network->info().description);
    return {std::move(network), opened.gpu, opened.kind};
}

#define THREEFOLD_BACKEND(entry) extern const BackendEntry entry;
#include "app/options/backends.inl"
#undef THREEFOLD_BACKEND

std::span<const BackendEntry* const> backends() {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declared name
#define THREEFOLD_BACKEND(entry) &entry,
    static constexpr const BackendEntry* kBackends[] = {
#include "app/options/backends.inl"
    };
#undef THREEFOLD_BACKEND
    return kBackends;
}

const BackendEntry kProcessorBackend{kProcessorKind, openProcessor, [] { return true; },
                                     checkProcessor};

}  // namespace threefold
