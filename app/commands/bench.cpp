#include "app/commands/bench.h"

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"

namespace threefold {
namespace {

constexpr const char* kExamples = R"(Examples:
  threefold bench latency                       one mesh, stage by stage
  threefold bench throughput --seconds 5        meshes a second, for each size of batch
  threefold bench latency --help                what a measurement takes)";

}  // namespace

void addBench(CLI::App& program, CommandLine& line) {
    CLI::App& bench = *program.add_subcommand("bench", "How fast this machine is");
    bench.require_subcommand(1);
    bench.footer(kExamples);
    addBenchLatency(bench, line);
    addBenchThroughput(bench, line);
    addBenchOps(bench, line);
    addBenchRaster(bench, line);
}

}  // namespace threefold
