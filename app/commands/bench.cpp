#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench/latency.h"
#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/console/peak_memory.h"
#include "app/console/table.h"
#include "engine/error.h"
#include "engine/resources.h"

namespace threefold {
namespace {

constexpr const char* kLatencyExamples =
    R"(Reconstructs one sample again and again. With --roofline, "products" is the time that the same
multiply-adds take as oneDNN float32 products of 106038×192×384 on this machine in the same run.

Example:
  threefold bench latency --runs 50 --roofline)";

constexpr int kMostRuns = 100000;

struct BenchRequest {
    std::string sample;
    LatencyOptions options;
    bool json = false;
};

/// The one named, else the first that is bundled.
Sample chosenSample(const std::string& name) {
    if (!name.empty()) return findSample(name);
    const auto folder = bundledSamplesFolder();
    const auto bundled = listSamples(folder / "ShapeNetRendering");
    if (bundled.empty()) {
        throw InputError({folder.string(), "", "holds no sample", "Name one with --sample."});
    }
    return findSample(bundled.front());
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : "";
}

std::string latencyText(const Backend& backend, const Sample& sample, const LatencyResult& result,
                        const LatencyOptions& options) {
    using Align = Table::Align;
    Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::left});
    const bool roofline = options.roofline;
    table.add({"stage", "median ms", "p95 ms", roofline ? "products ms" : "",
               roofline ? "ratio" : "", ""});
    const auto add = [&](const LatencyRow& row) {
        table.add({row.name, number(row.medianMs), number(row.p95Ms), number(row.productsMs),
                   number(row.ratio()), std::string(row.description)});
    };
    for (const LatencyRow& row : result.stages) add(row);
    add(result.network);
    std::string text =
        fmt::format("{}\n{}, {} views, {} runs after {} to warm up\n\n", backend.description(),
                    sample.name(), options.views.size(), options.runs, options.warmup);
    text += table.text();
    if (roofline) {
        text += fmt::format("\noneDNN float32 products of 106038×192×384: {:.0f} GFLOP/s\n",
                            result.gigaflops);
    }
    return text;
}

nlohmann::ordered_json rowJson(const LatencyRow& row) {
    nlohmann::ordered_json json = {{"stage", row.name},
                                   {"medianMs", row.medianMs},
                                   {"p95Ms", row.p95Ms},
                                   {"multiplyAddFlop", row.multiplyAddFlop}};
    if (row.productsMs) {
        json["productsMs"] = *row.productsMs;
        json["ratio"] = *row.ratio();
    }
    return json;
}

nlohmann::ordered_json latencyJson(const Backend& backend, const Sample& sample,
                                   const LatencyResult& result, const LatencyOptions& options) {
    nlohmann::ordered_json json = {{"threefold", THREEFOLD_VERSION},
                                   {"backend", backend.description()},
                                   {"precision", precisionName(backend.precision())},
                                   {"modelSha256", backend.model().hash},
                                   {"sample", sample.name()},
                                   {"views", options.views},
                                   {"runs", options.runs},
                                   {"warmup", options.warmup},
                                   {"stages", nlohmann::ordered_json::array()}};
    for (const LatencyRow& row : result.stages) json["stages"].push_back(rowJson(row));
    json["network"] = rowJson(result.network);
    if (options.roofline) json["productGigaflops"] = result.gigaflops;
    json["peakMemoryMb"] = peakMemoryMegabytes();
    return json;
}

ExitCode latency(const ModelOptions& model, BenchRequest request) {
    request.options.threads = model.threads;
    const Interrupt interrupt;
    const Sample sample = chosenSample(request.sample);
    const std::unique_ptr<Backend> backend = openBackend(model);
    const LatencyResult result =
        measureLatency(*backend, sample, request.options, interrupt.token());
    if (request.json) {
        printJson(latencyJson(*backend, sample, result, request.options));
    } else {
        printText(latencyText(*backend, sample, result, request.options));
    }
    return ExitCode::done;
}

}  // namespace

void addBench(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<BenchRequest>();
    request->options.views = kPublishedViews;

    CLI::App& bench = *program.add_subcommand("bench", "How fast this machine is");
    bench.require_subcommand(1);
    CLI::App& command = *bench.add_subcommand("latency", "Time of one mesh, stage by stage");
    command.footer(kLatencyExamples);
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
