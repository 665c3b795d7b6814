#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/configuration/configuration.h"
#include "app/console/exit_code.h"
#include "app/options/model_options.h"

namespace threefold {

/// Reaction of a command to problems of a configuration file.
enum class ConfigurationProblems {
    abort,  ///< the command does not run; the program ends with ExitCode::usage
    show,   ///< the command shows the problems itself
};

/// Result of parsing: options shared by several commands, and the command's action. The action runs
/// after parsing, so that its failures are not reported as command-line mistakes.
struct CommandLine {
    ModelOptions model;
    std::filesystem::path configurationFile;  ///< value of --config; empty: the default files
    /// The configuration, read after parsing. Problems of the default files are dropped if the
    /// command uses no setting outside [log] and `configurationProblems` is abort. All other
    /// problems are treated as `configurationProblems` says.
    Configuration configuration;
    ConfigurationProblems configurationProblems = ConfigurationProblems::abort;
    bool verbose = false;  ///< takes precedence over `logLevel`
    std::string logLevel;  ///< one of kLogLevels
    std::filesystem::path logFile;
    std::function<ExitCode()> action;
};

/// Functions that add one command each, with its options and help. A command that is chosen sets
/// `line.action`. `line` must outlive parsing and the action. A new command is a file that defines
/// such a function, and a line in commands.inl.
#define THREEFOLD_COMMAND(add) void add(CLI::App& program, CommandLine& line);
#include "app/commands/commands.inl"
#undef THREEFOLD_COMMAND

/// Adds a command with one line of help and with examples at the end of its help.
CLI::App& addCommand(CLI::App& program, const std::string& name, const std::string& help,
                     const std::string& examples);
/// Sets the command's action; appends the logging options, and --config if an option is bound to a
/// setting.
void setAction(CLI::App& command, CommandLine& line, std::function<ExitCode()> action,
               ConfigurationProblems problems = ConfigurationProblems::abort);
void addConfigOption(CLI::App& command, CommandLine& line);

/// Adds all options and commands of the program.
void describeProgram(CLI::App& program, CommandLine& line);

/// Logs the configuration's problems as errors, one per line: the first 20, then the number of the
/// further problems.
void reportProblems(const Configuration& configuration);

/// Parses the command line, runs the chosen command and returns the process's exit code (see
/// ExitCode). Reports every failure on stderr, except a closed pipe on standard output; throws
/// nothing.
int runProgram(int argc, char** argv) noexcept;

}  // namespace threefold
