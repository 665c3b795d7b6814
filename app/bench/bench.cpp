#include "app/bench/bench.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/configuration/configuration.h"
#include "app/configuration/number_range.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "engine/compute/processor.h"
#include "engine/error.h"
#include "engine/json_text.h"
#include "engine/network/cuda_plugin.h"
#include "engine/resources.h"
#include "engine/sample/bundled_samples.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {

void addRunOptions(CLI::App& command, int& runs, int& warmup) {
    constexpr int kMaxRuns = 100000;
    addValue(command, "--runs", runs, "N", fmt::format("Counted runs, {} if not given", runs))
        ->check(numberValidator(NumberRange::count(1, kMaxRuns)));
    addValue(command, "--warmup", warmup, "N",
             fmt::format("Runs before those, {} if not given", warmup))
        ->check(numberValidator(NumberRange::count(0, kMaxRuns)));
}

namespace {

/// The table's header and rows, each a line.
std::string tableText(const BenchReport& report) {
    std::string columns;
    std::vector<std::string> header;
    if (!report.rows.empty())
        for (const BenchRow::Cell& cell : report.rows.front().cells) {
            columns.push_back(cell.align);
            header.push_back(cell.header);
        }
    Table table(columns);
    table.add(header);
    for (const BenchRow& row : report.rows) {
        std::vector<std::string> texts;
        for (const BenchRow::Cell& cell : row.cells) texts.push_back(cell.text);
        table.add(std::move(texts));
    }
    return table.text();
}

nlohmann::ordered_json reportJson(const BenchReport& report) {
    nlohmann::ordered_json json = report.before;
    nlohmann::ordered_json& rows = json[report.rowsKey] = jsonList(report.rows, &BenchRow::json);
    if (!report.totalKey.empty()) {
        rows.erase(rows.size() - 1);
        json[report.totalKey] = report.rows.back().json;
    }
    for (const auto& [key, value] : report.after.items()) json[key] = value;
    return json;
}

/// Returns `text` without its first lines.
std::string_view withoutLines(std::string_view text, std::size_t lines) {
    for (; lines > 0; --lines) text.remove_prefix(text.find('\n') + 1);
    return text;
}

}  // namespace

std::string BenchWriter::append(const BenchReport& report, bool complete) {
    const auto line = [](const nlohmann::ordered_json& json) { return jsonText(json) + '\n'; };
    std::string text;
    if (!begun_) text = jsonLines_ ? line(report.before) : report.heading + '\n';
    if (jsonLines_) {
        for (std::size_t i = rows_; i < report.rows.size(); ++i) text += line(report.rows[i].json);
        if (complete && !report.after.empty()) text += line(report.after);
    } else {
        // Later rows may widen a column; rows already printed stay unchanged.
        text += withoutLines(tableText(report), begun_ ? rows_ + 1 : 0);
        if (complete) text += report.remarks;
    }
    begun_ = true;
    rows_ = report.rows.size();
    return text;
}

void print(const BenchReport& report, bool json) {
    json ? printJson(reportJson(report)) : printText(BenchWriter(false).append(report, true));
}

Sample chosenSample(const std::string& name) {
    if (!name.empty()) return findSample(name);
    return findSample(benchSamples({}, "Name one with --sample.").front());
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

std::vector<std::filesystem::path> benchSamples(const std::filesystem::path& requested,
                                                const char* remedy) {
    auto samples = requested.empty() ? bundledSamples() : listSamples(requested);
    if (samples.empty())
        throw InputError({(requested.empty() ? bundledSamplesFolder() : requested).string(), "",
                          "holds no sample", remedy});
    return samples;
}

BenchReport reportOn(const OpenedNetwork& opened, std::string rowsKey) {
    const NetworkInfo network = opened.network->info();
    BenchReport report;
    report.heading = network.description + '\n';
    report.before = {{"threefold", THREEFOLD_VERSION},
                     {"backend", network.description},
                     {"precision", precisionName(network.precision)},
                     {"modelSha256", network.model->hash},
                     {"device", {{"kind", network.kind->name}, {"name", processorName()}}}};
    if (opened.gpu) {
        report.heading += gpuText(*opened.gpu);
        report.before["device"] = gpuJson(*opened.gpu);
    }
    report.rowsKey = std::move(rowsKey);
    return report;
}

std::optional<GpuCeilings> measurePeakRates(const OpenedNetwork& opened,
                                            const ModelOptions& options, Precision precision) {
    if (!opened.gpu) return std::nullopt;
    // With several devices, take the first: one device computes a mesh.
    const auto numbers = deviceNumbers(options.device);
    return cudaPlugin().ceilings(numbers ? numbers->front() : 0, precision);
}

void addRates(BenchRow& row, double teraflops, double gigabytesPerSecond,
              const GpuCeilings& ceilings, int digits) {
    const auto add = [&](const char* header, double rate, double ceiling) {
        row.addNumber(header, rate > 0 ? fmt::format("{:.{}f}", rate, digits) : "");
        row.addNumber("of peak", rate > 0 && ceiling > 0 ? percentText(rate / ceiling) : "");
    };
    add("TFLOP/s", teraflops, ceilings.teraflops);
    add("GB/s", gigabytesPerSecond, ceilings.gigabytesPerSecond);
}

void addPeakRates(nlohmann::ordered_json& json, const std::optional<GpuCeilings>& ceilings) {
    if (!ceilings) return;
    json["ceilings"] = {{"teraflops", ceilings->teraflops},
                        {"gigabytesPerSecond", ceilings->gigabytesPerSecond}};
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
