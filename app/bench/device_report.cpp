#include "app/bench/device_report.h"

#include <utility>

#include <fmt/format.h>

#include "engine/network/precision.h"
#include "engine/system/processor.h"

namespace threefold {

nlohmann::ordered_json gpuJson(const GpuDescription& gpu) {
    return {{"kind", kCudaKind.name},
            {"name", gpu.name},
            {"computeCapability", gpu.computeCapability},
            {"multiprocessors", gpu.multiprocessorCount},
            {"memoryBytes", gpu.memoryBytes},
            {"driver", gpu.driver},
            {"libraries", gpu.libraries}};
}

std::string gpuText(const GpuDescription& gpu) {
    return fmt::format("driver {}, {}\n", gpu.driver, gpu.libraries);
}

BenchReport reportOn(const OpenedNetwork& opened, std::string rowsKey) {
    const NetworkInfo network = opened.network->info();
    BenchReport report;
    report.heading = network.description + '\n';
    report.jsonHeader = {{"threefold", THREEFOLD_VERSION},
                         {"backend", network.description},
                         {"precision", precisionName(network.precision)},
                         {"modelSha256", network.model->hash},
                         {"device", {{"kind", network.kind->name}, {"name", processorName()}}}};
    if (opened.gpu) {
        report.heading += gpuText(*opened.gpu);
        report.jsonHeader["device"] = gpuJson(*opened.gpu);
    }
    report.rowsKey = std::move(rowsKey);
    return report;
}

}  // namespace threefold
