#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/configuration/configuration.h"
#include "app/console/output.h"
#include "app/options/options.h"

namespace threefold {

/// What a command does where a configuration file has mistakes.
enum class BrokenConfiguration {
    ends,     ///< not run: the program ends with ExitCode::usage
    isShown,  ///< it shows them itself
};

/// The result of parsing: options that several commands share, and the work itself. The work runs
/// after parsing, so that its failures are not reported as mistakes on the command line.
struct CommandLine {
    ModelOptions model;
    std::filesystem::path configurationFile;  ///< of --config; empty: the usual ones
    /// Read after parsing. Its problems count unless the command takes nothing but [log] from it.
    Configuration configuration;
    BrokenConfiguration brokenConfiguration = BrokenConfiguration::ends;
    bool verbose = false;  ///< counts before `logLevel`
    std::string logLevel;  ///< of kLogLevels
    std::filesystem::path logFile;
    std::function<ExitCode()> action;
};

/// Each adds one command, its options and its help; a chosen one sets `line.action`. `line` must
/// outlive parsing and the action. A new command is a file that defines such a function and a line
/// in commands.inl.
#define THREEFOLD_COMMAND(add) void add(CLI::App& program, CommandLine& line);
#include "app/commands/commands.inl"
#undef THREEFOLD_COMMAND

/// A command with a line of help and the examples at the help's end.
CLI::App& addCommand(CLI::App& program, const std::string& name, const std::string& help,
                     const std::string& examples);
/// Sets the command's action; adds the options of the log behind those added so far, and --config
/// where one of them is a setting's.
void setAction(CLI::App& command, CommandLine& line, std::function<ExitCode()> action,
               BrokenConfiguration broken = BrokenConfiguration::ends);
void addConfigOption(CLI::App& command, CommandLine& line);

/// Adds all options and commands of the program.
void describeProgram(CLI::App& program, CommandLine& line);

/// Prints the configuration's problems to stderr, a line each.
void tellProblems(const Configuration& configuration);

/// Parses the command line, runs the chosen command, and returns the process's exit code (see
/// ExitCode). Every failure ends as one line on stderr; nothing is thrown.
int runProgram(int argc, char** argv) noexcept;

}  // namespace threefold
