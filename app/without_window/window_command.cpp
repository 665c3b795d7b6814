#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"
#include "engine/error.h"

namespace threefold {

void addWindow(CLI::App& program, CommandLine& line) {
    auto sample = std::make_shared<std::string>();
    program.add_option("sample", *sample, "What the window would show")->option_text("[SAMPLE]");
    line.action = [sample]() -> ExitCode {
        throw DeviceError({sample->empty() ? "window" : *sample, "",
                           "this build of Threefold has no window",
                           "Use `threefold reconstruct`, or build with the release preset."});
    };
}

}  // namespace threefold
