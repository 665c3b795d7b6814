#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "app/console/exit_code.h"
#include "app/doctor/check.h"
#include "app/options/add_option.h"
#include "engine/error.h"

namespace threefold {
namespace {

constexpr const char* kNoWindow = "not checked: this build has no window";
constexpr const char* kRemedy = "Build with the release preset to have one.";

}  // namespace

void addWindow(CLI::App& program, CommandLine& line) {
    auto sample = std::make_shared<std::string>();
    addValue(program, "sample", *sample, "[SAMPLE]", "What the window would show");
    line.action = [sample]() -> ExitCode {
        throw DeviceError({sample->empty() ? "window" : *sample, "",
                           "this build of Threefold has no window",
                           "Use `threefold reconstruct`, or build with the release preset."});
    };
}

void addFigure(CLI::App& program, CommandLine& line) {
    CLI::App& command =
        addCommand(program, "figure", "Draw a figure (not in this build: it has no window)", "");
    command.allow_extras();
    setAction(command, line, []() -> ExitCode {
        throw DeviceError({"figure", "", "this build of Threefold has no window, which draws it",
                           "Build with the release preset."});
    });
}

std::vector<Finding> checkVulkan() {
    return {{"Vulkan", Finding::Status::warning, kNoWindow, kRemedy}};
}

Finding checkDisplay() {
    return {"display", Finding::Status::warning, kNoWindow, kRemedy};
}

}  // namespace threefold
