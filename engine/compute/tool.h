#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/compute/child_process.h"

namespace threefold {

/// End of an external program, such as COLMAP or ffmpeg.
struct ProgramResult {
    ExitStatus status;
    std::string lastLine;  ///< last line that contains more than blanks and "="; empty: none
};

/// Runs a program as runProcess() does, and keeps its last line. Throws as runProcess().
ProgramResult runTool(const std::filesystem::path& program, std::span<const std::string> arguments,
                      const std::filesystem::path& log,
                      const std::function<void(std::string_view line)>& onLine,
                      const std::stop_token& cancel);

/// Describes the failure of a program: "ffmpeg ended with exit code 1: Invalid
/// data", "mapper was ended by signal 9". `name`: of the program, or of its command.
std::string failureText(std::string_view name, const ProgramResult& result);

}  // namespace threefold
