#include "engine/network/service/open_devices.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/devices/gpu_presence.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/bundled_samples.h"

namespace threefold {
namespace {

OpenedDevices openProcessor(const std::shared_ptr<const Model>& model,
                            const DeviceSettings& settings) {
    CpuOptions cpu;
    cpu.precision = settings.precision.value_or(Precision::float32);
    cpu.threads = settings.threads;
    if (cpu.precision == Precision::int8 && settings.quantisationSamples)
        cpu.quantisationSamples = settings.quantisationSamples();
    if (cpu.precision == Precision::int8 && cpu.quantisationSamples.empty())
        cpu.quantisationSamples = bundledQuantisationSamples();
    return {oneDevice(makeCpuBackend(model, cpu)), std::nullopt};
}

constexpr BackendOpener kOpeners[] = {
    {kProcessorKind, openProcessor, [] { return true; }},
    {kCudaKind, openCudaDevices, [] { return hasNvidiaGpu(); }},
};

/// Opens a GPU. Errors of GPUs advise using the processor; corrects that advice if the processor
/// lacks the requested precision.
OpenedDevices openGpu(const BackendOpener& gpu, const std::shared_ptr<const Model>& model,
                      const DeviceSettings& settings) {
    try {
        return gpu.open(model, settings);
    } catch (const DeviceError& error) {
        const std::vector<Precision> supported = supportedProcessorPrecisions();
        if (!settings.precision || std::ranges::count(supported, *settings.precision) > 0) throw;
        ErrorReport report = error.report();
        report.remedy = fmt::format(
            "This processor has no {} either: without such a GPU, use {} (`precision`).",
            precisionName(*settings.precision), processorPrecisionNames());
        throw DeviceError(report);
    }
}

}  // namespace

OpenedDevices openDevices(const std::shared_ptr<const Model>& model,
                          const DeviceSettings& settings) {
    std::optional<ErrorReport> unusedGpu;
    for (const BackendOpener& opener : kOpeners) {
        if (settings.backend != nullptr && settings.backend != &opener.kind) continue;
        if (!opener.kind.usesGpu) {
            if (settings.backend != nullptr) return opener.open(model, settings);
            continue;
        }
        try {
            return openGpu(opener, model, settings);
        } catch (const DeviceError& error) {
            if (settings.backend != nullptr ||
                (settings.precision && !kProcessorKind.has(*settings.precision)))
                throw;
            const bool hasGpu = opener.hasHardware();
            if (settings.log)
                settings.log(hasGpu ? LogLevel::warning : LogLevel::debug,
                             fmt::format("no GPU is used: {}", error.what()));
            if (hasGpu) unusedGpu = error.report();
        }
    }
    OpenedDevices opened = openProcessor(model, settings);
    opened.devices.unusedGpu = std::move(unusedGpu);
    return opened;
}

std::span<const BackendOpener> backendOpeners() {
    return kOpeners;
}

const BackendKind* backendKindFromName(std::string_view name) {
    const auto found = std::ranges::find_if(
        kOpeners, [&](const BackendOpener& opener) { return opener.kind.name == name; });
    return found == std::end(kOpeners) ? nullptr : &found->kind;
}

}  // namespace threefold
