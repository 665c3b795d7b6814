#include "engine/compute/tool.h"

#include <fmt/format.h>

namespace threefold {

ProgramResult runTool(const std::filesystem::path& program, std::span<const std::string> arguments,
                      const std::filesystem::path& log,
                      const std::function<void(std::string_view line)>& onLine,
                      const std::stop_token& cancel) {
    ProgramResult result;
    const auto keepLast = [&](std::string_view line) {
        if (line.find_first_not_of(" \r=") != std::string_view::npos) result.lastLine = line;
        onLine(line);
    };
    result.status = runProcess(program, arguments, log, keepLast, cancel);
    return result;
}

std::string failureText(std::string_view name, const ProgramResult& result) {
    const ExitStatus& status = result.status;
    if (status.signal != 0) return fmt::format("{} was ended by signal {}", name, status.signal);
    return fmt::format("{} ended with exit code {}: {}", name, status.exitCode, result.lastLine);
}

}  // namespace threefold
