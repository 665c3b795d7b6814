#pragma once

#include "app/commands/command_line.h"

namespace CLI {
class App;
}

namespace threefold {

/// Each adds one command, its options and its help; a chosen one sets `line.action`. `line` must
/// outlive parsing and the action.
void addWindow(CLI::App& program, CommandLine& line);  ///< what runs where no command is named
void addReconstruct(CLI::App& program, CommandLine& line);
void addEval(CLI::App& program, CommandLine& line);
void addMerge(CLI::App& program, CommandLine& line);
void addScore(CLI::App& program, CommandLine& line);
void addRender(CLI::App& program, CommandLine& line);
void addConvert(CLI::App& program, CommandLine& line);
void addInspect(CLI::App& program, CommandLine& line);
void addDoctor(CLI::App& program, CommandLine& line);
void addBench(CLI::App& program, CommandLine& line);

/// `-v, --verbose`, which every command takes.
void addVerbose(CLI::App& command, CommandLine& line);

}  // namespace threefold
