#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench/latency.h"
#include "app/bench/subject.h"
#include "app/commands/bench.h"
#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/console/peak_memory.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(Reconstructs one sample again and again. With --roofline, "products" is the time that the same
multiply-adds take as oneDNN float32 products of 106038×192×384 on this machine in the same run.
On a GPU, stages are timed by events and may overlap; "network" is the time on the wall of runs
without them, from views to mesh in the machine's memory; and the rates that each stage reaches
stand beside those that the device was measured to reach. GB/s counts what a stage has to read and
write at least.

Examples:
  threefold bench latency --runs 50 --roofline
  threefold bench latency --backend cuda --runs 200 --warmup 15 --json)";

constexpr int kMostRuns = 100000;

struct LatencyRequest {
    std::string sample;
    LatencyOptions options;
    bool json = false;
};

/// All that is printed.
struct LatencyReport {
    const OpenedBackend& opened;
    const Sample& sample;
    const LatencyRequest& request;
    const LatencyResult& result;
    std::optional<GpuCeilings> ceilings;
};

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : "";
}

std::string positive(double value) {
    return value > 0 ? number(value) : "";
}

std::string shareOf(double value, double ceiling) {
    return value > 0 && ceiling > 0 ? shareText(value / ceiling) : "";
}

std::string latencyText(const LatencyReport& report) {
    using Align = Table::Align;
    std::vector<std::string> header = {"stage", "median ms", "p95 ms"};
    const bool roofline = report.request.options.roofline;
    if (roofline) header.insert(header.end(), {"products ms", "ratio"});
    if (report.ceilings) header.insert(header.end(), {"TFLOP/s", "of peak", "GB/s", "of peak"});
    header.emplace_back();
    std::vector<Align> columns(header.size(), Align::right);
    columns.front() = columns.back() = Align::left;
    Table table(columns);
    table.add(header);
    const auto add = [&](const LatencyRow& row) {
        std::vector<std::string> cells = {row.name, number(row.medianMs), number(row.p95Ms)};
        if (roofline) cells.insert(cells.end(), {number(row.productsMs), number(row.ratio())});
        if (report.ceilings) {
            const double bandwidth = row.gigabytesPerSecond();
            cells.push_back(positive(row.teraflops()));
            cells.push_back(shareOf(row.teraflops(), report.ceilings->teraflops));
            cells.push_back(positive(bandwidth));
            cells.push_back(shareOf(bandwidth, report.ceilings->gigabytesPerSecond));
        }
        cells.emplace_back(row.description);
        table.add(std::move(cells));
    };
    for (const LatencyRow& row : report.result.stages) add(row);
    add(report.result.network);
    const LatencyOptions& options = report.request.options;
    std::string text = subjectText(report.opened);
    text += fmt::format("{}, {} views, {} runs after {} to warm up\n\n", report.sample.name(),
                        options.views.size(), options.runs, options.warmup);
    text += table.text();
    if (roofline) {
        text += fmt::format("\noneDNN float32 products of 106038×192×384: {:.0f} GFLOP/s\n",
                            report.result.gigaflops);
    }
    if (report.ceilings) {
        text +=
            fmt::format("\nmeasured on this device: products {:.0f} TFLOP/s, copies {:.0f} GB/s\n",
                        report.ceilings->teraflops, report.ceilings->gigabytesPerSecond);
    }
    return text;
}

nlohmann::ordered_json rowJson(const LatencyRow& row) {
    nlohmann::ordered_json json = {{"stage", row.name},
                                   {"medianMs", row.medianMs},
                                   {"p95Ms", row.p95Ms},
                                   {"multiplyAddFlop", row.multiplyAddFlop},
                                   {"leastBytes", row.leastBytes},
                                   {"teraflops", row.teraflops()},
                                   {"gigabytesPerSecond", row.gigabytesPerSecond()}};
    if (row.productsMs) {
        json["productsMs"] = *row.productsMs;
        json["ratio"] = *row.ratio();
    }
    return json;
}

nlohmann::ordered_json latencyJson(const LatencyReport& report) {
    const LatencyOptions& options = report.request.options;
    nlohmann::ordered_json json = subjectJson(report.opened);
    json["sample"] = report.sample.name();
    json["views"] = options.views;
    json["runs"] = options.runs;
    json["warmup"] = options.warmup;
    json["stages"] = nlohmann::ordered_json::array();
    for (const LatencyRow& row : report.result.stages) json["stages"].push_back(rowJson(row));
    json["network"] = rowJson(report.result.network);
    if (options.roofline) json["productGigaflops"] = report.result.gigaflops;
    if (report.ceilings) {
        json["ceilings"] = {{"teraflops", report.ceilings->teraflops},
                            {"gigabytesPerSecond", report.ceilings->gigabytesPerSecond}};
    }
    json["peakMemoryMb"] = peakMemoryMegabytes();
    return json;
}

/// On a GPU the stages are timed in one run and the whole in another, since timing the stages holds
/// the whole up.
LatencyResult measure(OpenedBackend& opened, const ModelOptions& model, const Sample& sample,
                      const LatencyOptions& options, const std::stop_token& cancel) {
    LatencyResult result = measureLatency(*opened.backend, sample, options, cancel);
    if (!opened.gpu) return result;
    opened.backend.reset();  // two of them need not fit the device
    opened = openBackend(model, {.stageTimes = false});
    result.network = measureLatency(*opened.backend, sample, options, cancel).network;
    return result;
}

ExitCode latency(const ModelOptions& model, LatencyRequest request) {
    request.options.threads = model.threads;
    const Interrupt interrupt;
    const Sample sample = chosenSample(request.sample);
    OpenedBackend opened = openBackend(model);
    const LatencyResult result = measure(opened, model, sample, request.options, interrupt.token());
    const LatencyReport report{opened, sample, request, result,
                               measureCeilings(opened, model, opened.backend->precision())};
    if (request.json) {
        printJson(latencyJson(report));
    } else {
        printText(latencyText(report));
    }
    return ExitCode::done;
}

}  // namespace

void addBenchLatency(CLI::App& bench, CommandLine& line) {
    auto request = std::make_shared<LatencyRequest>();
    request->options.views = kPublishedViews;
    CLI::App& command = *bench.add_subcommand("latency", "Time of one mesh, stage by stage");
    command.footer(kExamples);
    command.add_option("--sample", request->sample, "Sample; the first bundled one if not given")
        ->option_text("SAMPLE");
    command.add_option("--runs", request->options.runs, "Counted runs, 20 if not given")
        ->check(CLI::Range(1, kMostRuns))
        ->option_text("N");
    command.add_option("--warmup", request->options.warmup, "Runs before those, 3 if not given")
        ->check(CLI::Range(0, kMostRuns))
        ->option_text("N");
    command.add_flag("--roofline", request->options.roofline,
                     "Also time oneDNN products of the same size");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    addVerbose(command, line);
    command.callback([&line, request] {
        line.action = [&line, request] { return latency(line.model, *request); };
    });
}

}  // namespace threefold
