#pragma once

#include "app/commands/command_line.h"

namespace CLI {
class App;
}

namespace threefold {

// What `threefold bench` measures; as in commands.h, each adds one command below it.
void addBenchLatency(CLI::App& bench, CommandLine& line);
void addBenchThroughput(CLI::App& bench, CommandLine& line);
void addBenchOps(CLI::App& bench, CommandLine& line);
void addBenchRaster(CLI::App& bench, CommandLine& line);

}  // namespace threefold
