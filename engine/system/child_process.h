#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace threefold {

/// Path of the first executable file `name` in the folders of PATH, an empty entry being the
/// current folder; empty if there is none.
std::filesystem::path findExecutable(const std::string& name);

/// How a program ended.
struct ExitStatus {
    int exitCode = 0;           ///< -1 if a signal ended the program
    int terminatingSignal = 0;  ///< 0 if the program ended by itself

    bool succeeded() const { return exitCode == 0 && terminatingSignal == 0; }
};

/// End of an external program, such as COLMAP or ffmpeg.
struct ProgramResult {
    ExitStatus status;
    std::string lastLine;  ///< last line that contains more than blanks and "="; empty: none
};

/// Runs a program to its end, with empty standard input, in a process group of its own. Appends the
/// program's standard output and errors to `log`, and calls onLine(), if given, on this thread for
/// each line, even if empty. A line comes without its newline and is cut after 4 KiB. Of a line
/// that the program rewrites by carriage returns, only the last text is passed on. The process
/// group is killed before the function returns; the kernel kills the program if the calling thread
/// ends first (PR_SET_PDEATHSIG). Throws Cancelled within 50 ms of the request; IoError if the
/// program cannot be started, or the log cannot be written.
ProgramResult runProgram(const std::filesystem::path& program,
                         std::span<const std::string> arguments, const std::filesystem::path& log,
                         const std::function<void(std::string_view line)>& onLine,
                         const std::stop_token& cancel);

/// Describes the failure of a program: "ffmpeg ended with exit code 1: Invalid data", "mapper was
/// ended by signal 9". `name`: name of the program, or of its command.
std::string failureText(std::string_view name, const ProgramResult& result);

}  // namespace threefold
