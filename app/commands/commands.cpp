#include "app/commands/commands.h"

#include <utility>

#include <CLI/CLI.hpp>

namespace threefold {

CLI::App& addCommand(CLI::App& program, const std::string& name, const std::string& help,
                     const std::string& examples) {
    CLI::App& command = *program.add_subcommand(name, help);
    command.footer(examples);
    return command;
}

void setAction(CLI::App& command, CommandLine& line, std::function<ExitCode()> action) {
    addVerbose(command, line);
    command.callback([&line, action = std::move(action)] { line.action = action; });
}

void addVerbose(CLI::App& command, CommandLine& line) {
    command.add_flag("-v,--verbose", line.verbose, "Say on stderr what is being done");
}

}  // namespace threefold
