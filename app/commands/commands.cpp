#include "app/commands/commands.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <CLI/CLI.hpp>
#include <spdlog/spdlog.h>

#include "app/configuration/knob_option.h"
#include "app/options/value_option.h"
#include "engine/error.h"

namespace threefold {

CLI::App& addCommand(CLI::App& program, const std::string& name, const std::string& help,
                     const std::string& examples) {
    CLI::App& command = *program.add_subcommand(name, help);
    command.footer(examples);
    return command;
}

void setAction(CLI::App& command, CommandLine& line, std::function<ExitCode()> action,
               BrokenConfiguration broken) {
    if (usesKnobs(command)) addConfigOption(command, line);
    addVerbose(command, line);
    command.callback([&line, broken, action = std::move(action)] {
        line.action = action;
        line.brokenConfiguration = broken;
    });
}

void addConfigOption(CLI::App& command, CommandLine& line) {
    addValue(command, "--config", line.configurationFile, "FILE",
             "Defaults from this file, not from threefold.toml; `threefold config` shows them");
}

void tellProblems(const Configuration& configuration) {
    constexpr std::size_t kMostTold = 20;
    const std::size_t all = configuration.problems.size();
    for (std::size_t i = 0; i < std::min(all, kMostTold); ++i)
        spdlog::error("{}", Error(configuration.problems[i]).what());
    if (all > kMostTold) spdlog::error("and {} more mistakes", all - kMostTold);
}

void addVerbose(CLI::App& command, CommandLine& line) {
    command.add_flag("-v,--verbose", line.verbose, "Say on stderr what is being done");
}

}  // namespace threefold
