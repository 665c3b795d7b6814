#include "app/bench/rates.h"

#include <fmt/format.h>

#include "app/configuration/setting.h"
#include "engine/network/cuda_plugin.h"

namespace threefold {

std::optional<GpuPeakRates> measurePeakRates(const OpenedNetwork& opened,
                                             const ModelOptions& options, Precision precision) {
    if (!opened.gpu) return std::nullopt;
    // With several devices, take the first: one device computes a mesh.
    const auto numbers = deviceNumbers(options.device);
    return cudaPlugin().peakRates(numbers ? numbers->front() : 0, precision);
}

void addRates(BenchRow& row, double teraflops, double gigabytesPerSecond,
              const GpuPeakRates& peakRates, int digits) {
    const auto add = [&](const char* header, double rate, double ceiling) {
        row.addNumber(header, rate > 0 ? fmt::format("{:.{}f}", rate, digits) : "");
        row.addNumber("of peak", rate > 0 && ceiling > 0 ? percentText(rate / ceiling) : "");
    };
    add("TFLOP/s", teraflops, peakRates.teraflops);
    add("GB/s", gigabytesPerSecond, peakRates.gigabytesPerSecond);
}

void addPeakRates(nlohmann::ordered_json& json, const std::optional<GpuPeakRates>& peakRates) {
    if (!peakRates) return;
    json["ceilings"] = {{"teraflops", peakRates->teraflops},
                        {"gigabytesPerSecond", peakRates->gigabytesPerSecond}};
}

std::string percentText(double fraction) {
    constexpr double kPercent = 100;
    return fmt::format("{:.0f} %", kPercent * fraction);
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
