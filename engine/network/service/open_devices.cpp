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
                            const DeviceRequest& request) {
    CpuOptions cpu;
    cpu.precision = request.precision.value_or(Precision::float32);
    cpu.threads = request.threads;
    if (cpu.precision == Precision::int8 && request.quantisationSamples)
        cpu.quantisationSamples = request.quantisationSamples();
    if (cpu.precision == Precision::int8 && cpu.quantisationSamples.empty())
        cpu.quantisationSamples = bundledQuantisationSamples();
    return {makeCpuBackend(model, cpu), std::nullopt};
}

constexpr BackendOpener kOpeners[] = {
    {kProcessorKind, openProcessor, [] { return true; }},
    {kCudaKind, openCudaDevices, [] { return hasNvidiaGpu(); }},
};

/// Opens a GPU. Its errors advise using the processor; corrects that advice if the processor lacks
/// the precision.
OpenedDevices openGpu(const BackendOpener& gpu, const std::shared_ptr<const Model>& model,
                      const DeviceRequest& request) {
    try {
        return gpu.open(model, request);
    } catch (const DeviceError& error) {
        const std::vector<Precision> supported = supportedProcessorPrecisions();
        if (!request.precision || std::ranges::count(supported, *request.precision) > 0) throw;
        ErrorReport report = error.report();
        report.remedy = fmt::format(
            "This processor has no {} either: without such a GPU, use {} (`precision`).",
            precisionName(*request.precision), processorPrecisionNames());
        throw DeviceError(report);
    }
}

}  // namespace

OpenedDevices openDevices(const std::shared_ptr<const Model>& model, const DeviceRequest& request) {
    std::optional<ErrorReport> unusedGpu;
    for (const BackendOpener& opener : kOpeners) {
        if (request.backend != nullptr && request.backend != &opener.kind) continue;
        if (!opener.kind.usesGpu) {
            if (request.backend != nullptr) return opener.open(model, request);
            continue;
        }
        try {
            return openGpu(opener, model, request);
        } catch (const DeviceError& error) {
            if (request.backend != nullptr ||
                (request.precision && !kProcessorKind.has(*request.precision)))
                throw;
            const bool hasGpu = opener.isPresent();
            if (request.log)
                request.log(hasGpu ? LogLevel::warning : LogLevel::debug,
                            fmt::format("no GPU is used: {}", error.what()));
            if (hasGpu) unusedGpu = error.report();
        }
    }
    OpenedDevices opened = openProcessor(model, request);
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
