#include "app/commands/commands.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "app/commands/mistyped.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"
#include "app/console/help_formatter.h"
#include "app/console/output.h"
#include "app/console/process.h"
#include "app/options/add_option.h"
#include "engine/compute/parallel.h"
#include "engine/error.h"

namespace threefold {
namespace {

constexpr const char* kExamples = R"(Examples:
  threefold                                     the window, on a bundled sample
  threefold ShapeNetRendering/02691156/p0001    the window, on this one
  threefold reconstruct SAMPLE... -o out        meshes without a window
  threefold eval list.txt --images R -o out     evaluate a list: the table of the paper
  threefold score MESH TRUTH                    measure a mesh
  threefold render chair.obj -o samples         render a mesh into a sample
  threefold inspect model.safetensors           show what a file holds
  threefold config --template                   what threefold.toml may set
  threefold doctor                              check this machine

Exit codes: 0 done, 1 failed, 2 wrong command line or threefold.toml, 3 some samples failed, or a
mesh has a warning.)";

constexpr const char* kMemoryRemedy = "Close other programs, or raise the limit of `ulimit -v`.";

void addLogOptions(CLI::App& command, CommandLine& line) {
    CLI::Option* const verbose =
        command.add_flag("-v,--verbose", line.verbose, "Log each step on standard error");
    addSetting(command, setting::logLevel, line.logLevel)->excludes(verbose);
    addSetting(command, setting::logFile, line.logFile);
}

}  // namespace

void describeProgram(CLI::App& program, CommandLine& line) {
    program.set_version_flag("--version", "threefold " THREEFOLD_VERSION);
    program.require_subcommand(0, 1);
    program.footer(kExamples);
    program.formatter(std::make_shared<HelpFormatter>());
    addConfigOption(program, line);
    addLogOptions(program, line);
#define THREEFOLD_COMMAND(add) add(program, line);
#include "app/commands/commands.inl"
#undef THREEFOLD_COMMAND
    addEmptyValueChecks(program);
}

namespace {

/// The program and the chosen commands, each a subcommand of the previous one.
std::vector<CLI::App*> chosenCommands(CLI::App& program) {
    std::vector<CLI::App*> commands = {&program};
    while (!commands.back()->get_subcommands().empty())
        commands.push_back(commands.back()->get_subcommands().front());
    return commands;
}

/// Command whose options were being read, as typed: "threefold bench latency".
std::string commandText(CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : chosenCommands(program)) names.push_back(command->get_name());
    return fmt::format("{}", fmt::join(names, " "));
}

/// Applies the configuration to options that were not given. Commands that use only [log] ignore a
/// broken file, unless --config names the file or the command shows the configuration's problems.
void configure(CLI::App& program, CommandLine& line) {
    const std::vector<CLI::App*> commands = chosenCommands(program);
    const bool needsConfiguration =
        usesSettings(*commands.back()) || line.configurationProblems == ConfigurationProblems::show;
    line.configuration = readConfiguration(configurationFiles(line.configurationFile));
    applyConfiguration(line.configuration, commands);
    if (!needsConfiguration && line.configurationFile.empty()) line.configuration.problems.clear();
}

/// Starts logging as the command line and the configuration say. A command that shows the
/// configuration's problems also shows why the log file cannot be used.
void startLog(CommandLine& line) {
    const std::string_view level = line.verbose ? "debug" : std::string_view(line.logLevel);
    try {
        setLog(level, line.logFile);
    } catch (const UsageError& error) {
        if (line.configurationProblems != ConfigurationProblems::show) throw;
        line.configuration.problems.push_back(error.report());
    }
    for (const auto& file : line.configuration.files)
        spdlog::info("configuration: {}", file.string());
}

/// Prints help, version or the error of the command line, and returns the exit code.
ExitCode afterParsing(CLI::App& program, CommandLine& line, const CLI::ParseError& reason) {
    if (reason.get_exit_code() == 0) {
        const bool help = dynamic_cast<const CLI::CallForHelp*>(&reason) != nullptr;
        if (help) configure(program, line);
        std::ostringstream answer;
        program.exit(reason, answer, answer);
        printText(answer.str());
        reportProblems(line.configuration);
        return ExitCode::done;
    }
    // An unrecognised word is often why an option is missing.
    const std::vector<CLI::App*> commands = chosenCommands(program);
    ErrorReport report = mistypedWord(commands).value_or(valueCountError(commands, reason));
    report.remedy += fmt::format("{}Run `{} --help` to see its options.",
                                 report.remedy.empty() ? "" : " ", commandText(program));
    spdlog::error("{}", Error(report).what());
    return ExitCode::usage;
}

/// The arguments, with `help` and `help COMMAND` replaced by --help and COMMAND --help.
std::vector<std::string> argumentsOf(std::span<char* const> given) {
    std::vector<std::string> arguments(given.begin(), given.end());
    if (arguments.size() < 2 || arguments[1] != "help") return arguments;
    arguments.erase(arguments.begin() + 1);
    arguments.emplace_back("--help");
    return arguments;
}

ExitCode run(int argc, char** argv) {
    CLI::App program("Reconstructs a triangle mesh from three calibrated photographs.",
                     "threefold");
    CommandLine line;
    describeProgram(program, line);
    try {
        std::vector<std::string> arguments = argumentsOf({argv, static_cast<std::size_t>(argc)});
        // CLI11 takes arguments without the program's name, the last one first.
        std::ranges::reverse(arguments);
        if (!arguments.empty()) arguments.pop_back();
        program.parse(std::move(arguments));
    } catch (const CLI::ParseError& reason) {
        return afterParsing(program, line, reason);
    }
    requireNoEmptyValue(chosenCommands(program), {argv, static_cast<std::size_t>(argc)});
    if (program.get_subcommands().empty()) {
        // A first argument that is no file and resembles a command is refused here; any other
        // argument is a file for the window, which reports files that it cannot open.
        const auto mistyped = mistypedCommand(program);
        if (mistyped && !mistyped->remedy.empty()) throw UsageError(*mistyped);
    }
    configure(program, line);
    startLog(line);
    const bool broken = !line.configuration.problems.empty();
    if (broken && line.configurationProblems == ConfigurationProblems::abort) {
        reportProblems(line.configuration);
        return ExitCode::usage;
    }
    try {
        return line.action();
    } catch (const std::bad_alloc&) {
        spdlog::error("{}: not enough memory. {}", commandText(program), kMemoryRemedy);
        return ExitCode::failed;
    }
}

}  // namespace

CLI::App& addCommand(CLI::App& program, const std::string& name, const std::string& help,
                     const std::string& examples) {
    CLI::App& command = *program.add_subcommand(name, help);
    command.footer(examples);
    return command;
}

void setAction(CLI::App& command, CommandLine& line, std::function<ExitCode()> action,
               ConfigurationProblems problems) {
    if (usesSettings(command)) addConfigOption(command, line);
    addLogOptions(command, line);
    command.callback([&line, problems, action = std::move(action)] {
        line.action = action;
        line.configurationProblems = problems;
    });
}

void addConfigOption(CLI::App& command, CommandLine& line) {
    addValue(command, "--config", line.configurationFile, "FILE",
             "Read defaults from this file instead of threefold.toml");
}

void reportProblems(const Configuration& configuration) {
    constexpr std::size_t kMaxReported = 20;
    const std::size_t all = configuration.problems.size();
    for (std::size_t i = 0; i < std::min(all, kMaxReported); ++i)
        spdlog::error("{}", Error(configuration.problems[i]).what());
    if (all > kMaxReported) spdlog::error("and {} more problems", all - kMaxReported);
}

int runProgram(int argc, char** argv) noexcept {
    keepStandardStreamsOpen();
    redirectLibraryOutput();
    limitOpenMpThreads();
    // A closed pipe becomes a failed write, so that files are still written completely.
    std::signal(SIGPIPE, SIG_IGN);
    // A file beyond the limit of `ulimit -f` also becomes a failed write.
    std::signal(SIGXFSZ, SIG_IGN);
    ExitCode code = ExitCode::failed;
    try {
        startLogging();
        code = run(argc, argv);
    } catch (const OutputClosed&) {
        code = ExitCode::failed;  // as in `threefold inspect … | head`: not worth a message
    } catch (const UsageError& error) {
        spdlog::error("{}", error.what());
        code = ExitCode::usage;
    } catch (const std::bad_alloc&) {
        spdlog::error("not enough memory. {}", kMemoryRemedy);
    } catch (const std::system_error& error) {
        const bool thread = error.code() == std::errc::resource_unavailable_try_again;
        spdlog::error("{}", thread ? "no further thread can be started. End other programs, or "
                                     "raise the limits of threads (`ulimit -u`) and memory "
                                     "(`ulimit -v`)."
                                   : error.what());
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
    return static_cast<int>(code);
}

}  // namespace threefold
