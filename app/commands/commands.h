#pragma once

#include <functional>

#include "app/console/exit_code.h"
#include "app/options/model_options.h"

namespace CLI {
class App;
}

namespace threefold {

/// The result of parsing: options that several commands share, and the work itself. The work runs
/// after parsing, so that its failures are not reported as mistakes on the command line.
struct CommandLine {
    ModelOptions model;
    bool verbose = false;
    std::function<ExitCode()> action;
};

/// Each adds one command, its options and its help; a chosen one sets `line.action`. `line` must
/// outlive parsing and the action. A new command is a file that defines such a function and a line
/// in commands.inl.
#define THREEFOLD_COMMAND(add) void add(CLI::App& program, CommandLine& line);
#include "app/commands/commands.inl"
#undef THREEFOLD_COMMAND

/// `-v, --verbose`, which every command takes.
void addVerbose(CLI::App& command, CommandLine& line);

}  // namespace threefold
