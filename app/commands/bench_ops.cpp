#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench/ops.h"
#include "app/bench/subject.h"
#include "app/commands/bench.h"
#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(Nearest neighbours both ways and the earth mover's matching, between a mesh's 2466 vertices and a
truth of 6500 points if not told otherwise. "median ms" is the work alone, "call ms" with transfers.
On a GPU the results are compared with the processor's, relative to the clouds' size, and the rates
stand beside what the device was measured to reach in float32. "gap" is the most by which the
matching's cost can be above the optimum, in its own share.

Examples:
  threefold bench ops --backend cpu --runs 3
  threefold bench ops --backend cuda --runs 200 --warmup 15 --json)";

constexpr int kMostRuns = 100000;
constexpr int kLargestBatch = 4096;
constexpr std::size_t kMostPoints = 1U << 20;

struct OpsRequest {
    OpsOptions options;
    bool json = false;
};

struct OpsReport {
    const OpenedBackend& opened;
    const OpsOptions& options;
    std::vector<OpRow> rows;
    std::optional<GpuCeilings> ceilings;
};

std::string percent(double share) {
    constexpr double kPercent = 100;
    return fmt::format("{:.2f} %", kPercent * share);
}

std::string opsText(const OpsReport& report) {
    using Align = Table::Align;
    const bool gpu = report.ceilings.has_value();
    std::vector<std::string> header = {"op", "median ms", "p95 ms", "call ms", "gap"};
    if (gpu) header.insert(header.end(), {"TFLOP/s", "of peak", "GB/s", "of peak", "error"});
    header.emplace_back();
    std::vector<Align> columns(header.size(), Align::right);
    columns.front() = columns.back() = Align::left;
    Table table(columns);
    table.add(header);
    for (const OpRow& row : report.rows) {
        std::vector<std::string> cells = {
            row.name, fmt::format("{:.4f}", row.medianMs), fmt::format("{:.4f}", row.p95Ms),
            fmt::format("{:.4f}", row.callMs), row.gapOfCost > 0 ? percent(row.gapOfCost) : ""};
        if (gpu) {
            const double bandwidth = row.gigabytesPerSecond();
            cells.push_back(fmt::format("{:.3f}", row.teraflops()));
            cells.push_back(shareText(row.teraflops() / report.ceilings->teraflops));
            cells.push_back(fmt::format("{:.3f}", bandwidth));
            cells.push_back(shareText(bandwidth / report.ceilings->gigabytesPerSecond));
            cells.push_back(fmt::format("{:.1e}", row.error));
        }
        cells.push_back(row.description);
        table.add(std::move(cells));
    }
    return fmt::format("{}{} pair{} of {} and {} points, {} runs after {} to warm up\n\n{}",
                       subjectText(report.opened), report.options.batch,
                       report.options.batch == 1 ? "" : "s", report.options.first,
                       report.options.second, report.options.runs, report.options.warmup,
                       table.text());
}

nlohmann::ordered_json opsJson(const OpsReport& report) {
    nlohmann::ordered_json json = subjectJson(report.opened);
    json["pairs"] = report.options.batch;
    json["points"] = {report.options.first, report.options.second};
    json["runs"] = report.options.runs;
    json["warmup"] = report.options.warmup;
    json["ops"] = nlohmann::ordered_json::array();
    for (const OpRow& row : report.rows) {
        json["ops"].push_back({{"op", row.name},
                               {"medianMs", row.medianMs},
                               {"p95Ms", row.p95Ms},
                               {"callMs", row.callMs},
                               {"flop", row.flop},
                               {"bytes", row.bytes},
                               {"teraflops", row.teraflops()},
                               {"gigabytesPerSecond", row.gigabytesPerSecond()},
                               {"error", row.error},
                               {"gapOfCost", row.gapOfCost}});
    }
    if (report.ceilings) {
        json["ceilings"] = {{"teraflops", report.ceilings->teraflops},
                            {"gigabytesPerSecond", report.ceilings->gigabytesPerSecond}};
    }
    return json;
}

ExitCode ops(const ModelOptions& model, const OpsRequest& request) {
    const Interrupt interrupt;
    const OpenedBackend opened = openBackend(model);
    const OpsReport report{opened, request.options,
                           measureOps(*opened.backend, request.options, interrupt.token()),
                           measureCeilings(opened, model, Precision::float32)};
    if (request.json) {
        printJson(opsJson(report));
    } else {
        printText(opsText(report));
    }
    return ExitCode::done;
}

}  // namespace

void addBenchOps(CLI::App& bench, CommandLine& line) {
    auto request = std::make_shared<OpsRequest>();
    OpsOptions& options = request->options;
    CLI::App& command = *bench.add_subcommand("ops", "Searches and matching between point clouds");
    command.footer(kExamples);
    command.add_option("--runs", options.runs, "Counted runs, 20 if not given")
        ->check(CLI::Range(1, kMostRuns))
        ->option_text("N");
    command.add_option("--warmup", options.warmup, "Runs before those, 3 if not given")
        ->check(CLI::Range(0, kMostRuns))
        ->option_text("N");
    command.add_option("--batch", options.batch, "Pairs in one call, 1 if not given")
        ->check(CLI::Range(1, kLargestBatch))
        ->option_text("N");
    command.add_option("--first", options.first, "Points of the first cloud, 2466 if not given")
        ->check(CLI::Range(std::size_t{1}, kMostPoints))
        ->option_text("N");
    command.add_option("--second", options.second, "Points of the second, 6500 if not given")
        ->check(CLI::Range(std::size_t{1}, kMostPoints))
        ->option_text("N");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addModelOptions(command, line.model);
    addVerbose(command, line);
    command.callback(
        [&line, request] { line.action = [&line, request] { return ops(line.model, *request); }; });
}

}  // namespace threefold
