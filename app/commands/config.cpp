#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/console/output.h"

namespace threefold {
namespace {

constexpr const char* kConfigExamples =
    R"(Prints the effective values as a threefold.toml, with the source of each: a file and its line, or
the default. Files: --config FILE alone; else threefold.toml in the working folder, and for keys
that it lacks threefold/threefold.toml in $XDG_CONFIG_HOME or ~/.config. The command line takes
precedence over the files. The exit code is 2 where a file has mistakes.

Examples:
  threefold config
  threefold config --template > threefold.toml    every key, with its range and its meaning)";

struct ConfigRequest {
    bool asTemplate = false;
    bool json = false;
};

ExitCode config(const ConfigRequest& request, const Configuration& configuration) {
    if (request.asTemplate) {
        printText(configurationTemplate());
        return ExitCode::done;
    }
    if (request.json)
        printJson(configurationJson(configuration));
    else
        printText(configurationText(configuration));
    reportProblems(configuration);
    return configuration.problems.empty() ? ExitCode::done : ExitCode::usage;
}

}  // namespace

void addConfig(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ConfigRequest>();
    CLI::App& command = addCommand(program, "config",
                                   "Show the configuration, or a template for it", kConfigExamples);
    CLI::Option* asTemplate = command.add_flag("--template", request->asTemplate,
                                               "A threefold.toml with every key commented out");
    command.add_flag("--json", request->json, "One JSON document on standard output")
        ->excludes(asTemplate);
    addConfigOption(command, line);
    setAction(
        command, line, [&line, request] { return config(*request, line.configuration); },
        ConfigurationProblems::show);
}

}  // namespace threefold
