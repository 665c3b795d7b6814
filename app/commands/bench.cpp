#include "app/bench/bench.h"

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"

namespace threefold {

#define THREEFOLD_BENCH(bench) extern const Bench bench;
#include "app/bench/benches.inl"
#undef THREEFOLD_BENCH

namespace {

constexpr const char* kExamples = R"(Examples:
  threefold bench latency                       one mesh, stage by stage
  threefold bench throughput --seconds 5        meshes a second, for each size of batch
  threefold bench latency --help                what a measurement takes)";

#define THREEFOLD_BENCH(bench) &bench,
constexpr const Bench* kBenches[] = {
#include "app/bench/benches.inl"
};
#undef THREEFOLD_BENCH

ExitCode print(const Bench::Run& measure, bool json) {
    const Interrupt interrupt;
    const BenchReport report = measure(interrupt.token());
    if (json) {
        printJson(benchJson(report));
    } else {
        printText(benchText(report));
    }
    return report.exitCode;
}

void add(const Bench& bench, CLI::App& benches, CommandLine& line) {
    CLI::App& command = *benches.add_subcommand(bench.name, bench.help);
    command.footer(bench.examples);
    const Bench::Run measure = bench.prepare(command, line.model);
    const auto json = std::make_shared<bool>(false);
    command.add_flag("--json", *json, "One JSON document on standard output");
    if (bench.usesModel) addModelOptions(command, line.model);
    addVerbose(command, line);
    command.callback(
        [&line, measure, json] { line.action = [=] { return print(measure, *json); }; });
}

}  // namespace

void addBench(CLI::App& program, CommandLine& line) {
    CLI::App& command = *program.add_subcommand("bench", "How fast this machine is");
    command.require_subcommand(1);
    command.footer(kExamples);
    for (const Bench* bench : kBenches) add(*bench, command, line);
}

}  // namespace threefold
