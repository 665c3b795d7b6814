#include "app/program.h"

#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/exit_code.h"
#include "app/console/help_formatter.h"
#include "app/console/logging.h"
#include "app/console/output.h"
#include "app/console/standard_streams.h"
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
  threefold doctor                              check this machine

Exit codes: 0 done, 1 failed, 2 wrong command line, 3 some samples failed.)";

/// `--gt "$ROOT"` with a ROOT that nobody set is a mistake, not a wish to do without.
void refuseEmptyValues(CLI::App& command) {
    const CLI::Validator given(
        [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, "");
    for (CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() > 0) option->check(given);
    }
    for (CLI::App* below : command.get_subcommands({})) refuseEmptyValues(*below);
}

void describeProgram(CLI::App& program, CommandLine& line) {
    program.set_version_flag("--version", "threefold " THREEFOLD_VERSION);
    program.require_subcommand(0, 1);
    program.footer(kExamples);
    program.formatter(std::make_shared<HelpFormatter>());
    addVerbose(program, line);
#define THREEFOLD_COMMAND(add) add(program, line);
#include "app/commands/commands.inl"
#undef THREEFOLD_COMMAND
    refuseEmptyValues(program);
}

/// The command whose options were being read, as a person types it: "threefold bench latency".
std::string commandText(const CLI::App& program) {
    std::string text = program.get_name();
    for (const CLI::App* command = &program; !command->get_subcommands().empty();) {
        command = command->get_subcommands().front();
        text += ' ' + command->get_name();
    }
    return text;
}

/// The exit code where parsing already ends the program: help, version, or a mistake.
ExitCode afterParsing(const CLI::App& program, const CLI::ParseError& reason) {
    if (reason.get_exit_code() == 0) {
        std::ostringstream answer;
        program.exit(reason, answer, answer);
        printText(answer.str());
        return ExitCode::done;
    }
    spdlog::error("{}. Run `{} --help` for what it takes.", reason.what(), commandText(program));
    return ExitCode::usage;
}

ExitCode run(int argc, char** argv) {
    CLI::App program("Reconstructs a triangle mesh from three calibrated photographs.",
                     "threefold");
    CommandLine line;
    describeProgram(program, line);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& reason) {
        return afterParsing(program, reason);
    }
    setLogVerbosity(line.verbose);
    return line.action();
}

}  // namespace

int runProgram(int argc, char** argv) noexcept {
    keepStandardStreamsOpen();
    // A reader that went away shows as a failed write: files are finished, nothing is cut off.
    std::signal(SIGPIPE, SIG_IGN);
    // A file beyond the limit of `ulimit -f` likewise.
    std::signal(SIGXFSZ, SIG_IGN);
    ExitCode code = ExitCode::failed;
    try {
        startLogging();
        code = run(argc, argv);
    } catch (const OutputClosed&) {
        code = ExitCode::failed;  // as in `threefold inspect … | head`: nobody wants to hear of it
    } catch (const UsageError& error) {
        spdlog::error("{}", error.what());
        code = ExitCode::usage;
    } catch (const std::bad_alloc&) {
        spdlog::error("not enough memory. Close other programs, or use fewer views.");
    } catch (const std::system_error& error) {
        const bool thread = error.code() == std::errc::resource_unavailable_try_again;
        spdlog::error("{}", thread ? "no further thread can be started. End other programs, or "
                                     "raise the limit with `ulimit -u`."
                                   : error.what());
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
    return static_cast<int>(code);
}

}  // namespace threefold
