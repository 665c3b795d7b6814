#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench/subject.h"
#include "app/bench/throughput.h"
#include "app/commands/bench.h"
#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/console/peak_memory.h"
#include "engine/resources.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(Reconstructs batches of samples whose images are decoded before, and counts meshes a second from
views to meshes in the machine's memory. The processor takes a batch one sample after another.

Examples:
  threefold bench throughput
  threefold bench throughput --backend cuda --batches 1,8,32,64 --seconds 5 --json)";

constexpr int kLargestBatch = 4096;
constexpr double kMostSeconds = 3600;
constexpr int kMostWarmup = 1000;

const std::vector<int> kProcessorBatches = {1, 2};
const std::vector<int> kGpuBatches = {1, 2, 4, 8, 16, 32, 64};

struct ThroughputRequest {
    std::string sample;
    ThroughputOptions options;
    bool json = false;
};

/// The sample named, else all that are bundled, so that batches are not all of one kind.
std::vector<NetworkInput> chosenInputs(const std::string& sample) {
    std::vector<NetworkInput> inputs;
    if (sample.empty()) {
        for (const auto& folder : listSamples(bundledSamplesFolder() / "ShapeNetRendering")) {
            inputs.push_back(loadViews(findSample(folder), kPublishedViews));
        }
    }
    if (inputs.empty()) inputs.push_back(loadViews(chosenSample(sample), kPublishedViews));
    return inputs;
}

std::string throughputText(const OpenedBackend& opened, const ThroughputResult& result) {
    using Align = Table::Align;
    Table table({Align::right, Align::right, Align::right, Align::right, Align::left});
    table.add({"batch", "batches", "median ms", "meshes/s", ""});
    const ThroughputRow* best = result.best();
    for (const ThroughputRow& row : result.rows) {
        if (row.runs == 0) {
            table.add({std::to_string(row.batch), "", "", "", row.problem});
            continue;
        }
        table.add({std::to_string(row.batch), std::to_string(row.runs),
                   fmt::format("{:.2f}", row.medianMs), fmt::format("{:.2f}", row.perSecond),
                   &row == best ? "best" : ""});
    }
    return subjectText(opened) + '\n' + table.text();
}

nlohmann::ordered_json throughputJson(const OpenedBackend& opened, const ThroughputRequest& request,
                                      const ThroughputResult& result) {
    nlohmann::ordered_json json = subjectJson(opened);
    json["views"] = kPublishedViews;
    json["warmup"] = request.options.warmup;
    json["batches"] = nlohmann::ordered_json::array();
    for (const ThroughputRow& row : result.rows) {
        nlohmann::ordered_json entry = {{"batch", row.batch}, {"runs", row.runs}};
        if (row.runs > 0) {
            entry["medianMs"] = row.medianMs;
            entry["meshesPerSecond"] = row.perSecond;
        } else {
            entry["problem"] = row.problem;
        }
        json["batches"].push_back(std::move(entry));
    }
    if (const ThroughputRow* best = result.best()) {
        json["best"] = {{"batch", best->batch}, {"meshesPerSecond", best->perSecond}};
    }
    json["peakMemoryMb"] = peakMemoryMegabytes();
    return json;
}

ExitCode throughput(const ModelOptions& model, ThroughputRequest request) {
    const Interrupt interrupt;
    const std::vector<NetworkInput> inputs = chosenInputs(request.sample);
    const OpenedBackend opened = openBackend(model, {.stageTimes = false});
    if (request.options.batches.empty()) {
        request.options.batches = opened.gpu ? kGpuBatches : kProcessorBatches;
    }
    const ThroughputResult result =
        measureThroughput(*opened.backend, inputs, request.options, interrupt.token());
    if (request.json) {
        printJson(throughputJson(opened, request, result));
    } else {
        printText(throughputText(opened, result));
    }
    return result.best() != nullptr ? ExitCode::done : ExitCode::failed;
}

}  // namespace

void addBenchThroughput(CLI::App& bench, CommandLine& line) {
    auto request = std::make_shared<ThroughputRequest>();
    CLI::App& command = *bench.add_subcommand("throughput", "Meshes a second, by size of batch");
    command.footer(kExamples);
    command.add_option("--sample", request->sample, "Sample; all bundled ones if not given")
        ->option_text("SAMPLE");
    command
        .add_option("--batches", request->options.batches,
                    "Sizes; 1 and 2 on the processor, 1 to 64 on a GPU if not given")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, kLargestBatch))
        ->option_text("N,N,...");
    command
        .add_option("--seconds", request->options.seconds,
                    "Least time of each size, 2 if not given")
        ->check(CLI::Range(0.0, kMostSeconds))
        ->option_text("S");
    command.add_option("--warmup", request->options.warmup, "Batches before that, 1 if not given")
        ->check(CLI::Range(0, kMostWarmup))
        ->option_text("N");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    addVerbose(command, line);
    command.callback([&line, request] {
        line.action = [&line, request] { return throughput(line.model, *request); };
    });
}

}  // namespace threefold
