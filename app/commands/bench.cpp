#include "app/commands/bench.h"

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"

namespace threefold {

void addBench(CLI::App& program, CommandLine& line) {
    CLI::App& bench = *program.add_subcommand("bench", "How fast this machine is");
    bench.require_subcommand(1);
    addBenchLatency(bench, line);
    addBenchThroughput(bench, line);
    addBenchOps(bench, line);
    addBenchRaster(bench, line);
}

}  // namespace threefold
