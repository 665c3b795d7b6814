#include "app/bench/subject.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/configuration/knob.h"
#include "app/options/value_option.h"
#include "engine/compute/processor.h"
#include "engine/error.h"
#include "engine/resources.h"

namespace threefold {

Sample chosenSample(const std::string& name) {
    if (!name.empty()) return findSample(name);
    const auto folder = bundledSamplesFolder();
    const auto bundled = listSamples(folder);
    if (bundled.empty()) {
        throw InputError({folder.string(), "", "holds no sample", "Name one with --sample."});
    }
    return findSample(bundled.front());
}

nlohmann::ordered_json gpuJson(const GpuDescription& gpu) {
    return {{"kind", kCudaKind.name},
            {"name", gpu.name},
            {"computeCapability", gpu.computeCapability},
            {"multiprocessors", gpu.multiprocessors},
            {"memoryBytes", gpu.memoryBytes},
            {"driver", gpu.driver},
            {"libraries", gpu.libraries}};
}

std::string gpuText(const GpuDescription& gpu) {
    return fmt::format("driver {}, {}\n", gpu.driver, gpu.libraries);
}

void addSamplesOption(CLI::App& command, std::filesystem::path& folder) {
    addValue(command, "--samples", folder, "FOLDER",
             "A data set: the ShapeNetRendering folder, or the one that holds it; the bundled "
             "samples if not given");
}

std::vector<std::filesystem::path> benchSamples(const std::filesystem::path& given) {
    const auto folder = given.empty() ? bundledSamplesFolder() : given;
    auto found = listSamples(folder);
    if (found.empty())
        throw InputError({folder.string(), "", "holds no sample", "Name a data set's folder."});
    return found;
}

nlohmann::ordered_json subjectJson(const OpenedBackend& opened) {
    nlohmann::ordered_json json = {{"threefold", THREEFOLD_VERSION},
                                   {"backend", opened.backend->description()},
                                   {"precision", precisionName(opened.backend->precision())},
                                   {"modelSha256", opened.backend->model().hash}};
    if (opened.gpu) {
        json["device"] = gpuJson(*opened.gpu);
    } else {
        json["device"] = {{"kind", opened.kind->name}, {"name", processorName()}};
    }
    return json;
}

std::string subjectText(const OpenedBackend& opened) {
    std::string text = opened.backend->description() + '\n';
    if (opened.gpu) text += gpuText(*opened.gpu);
    return text;
}

std::optional<GpuCeilings> measureCeilings(const OpenedBackend& opened, const ModelOptions& options,
                                           Precision precision) {
    if (!opened.gpu) return std::nullopt;
    // Of several, the first one's: a mesh is computed by one.
    const auto numbers = deviceNumbers(options.device);
    return cudaPlugin().ceilings(numbers ? numbers->front() : 0, precision);
}

void addRates(BenchRow& row, double teraflops, double gigabytesPerSecond,
              const GpuCeilings& ceilings, int digits) {
    const auto add = [&](const char* header, double rate, double ceiling) {
        row.number(header, rate > 0 ? fmt::format("{:.{}f}", rate, digits) : "");
        row.number("of peak", rate > 0 && ceiling > 0 ? shareText(rate / ceiling) : "");
    };
    add("TFLOP/s", teraflops, ceilings.teraflops);
    add("GB/s", gigabytesPerSecond, ceilings.gigabytesPerSecond);
}

void addCeilings(nlohmann::ordered_json& json, const std::optional<GpuCeilings>& ceilings) {
    if (!ceilings) return;
    json["ceilings"] = {{"teraflops", ceilings->teraflops},
                        {"gigabytesPerSecond", ceilings->gigabytesPerSecond}};
}

std::string shareText(double share) {
    constexpr double kPercent = 100;
    return fmt::format("{:.0f} %", kPercent * share);
}

double teraflops(double flop, double milliseconds) {
    constexpr double kFlopInTeraflopMillisecond = 1e9;
    return milliseconds > 0 ? flop / (milliseconds * kFlopInTeraflopMillisecond) : 0;
}

double gigabytesPerSecond(double bytes, double milliseconds) {
    constexpr double kBytesInGigabyteMillisecond = 1e6;
    return milliseconds > 0 ? bytes / (milliseconds * kBytesInGigabyteMillisecond) : 0;
}

}  // namespace threefold
