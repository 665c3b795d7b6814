#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "app/options/options.h"
#include "engine/error.h"

namespace threefold {

void addWindow(CLI::App& program, CommandLine& line) {
    auto sample = std::make_shared<std::string>();
    addValue(program, "sample", *sample, "[SAMPLE]", "What the window would show");
    line.action = [sample]() -> ExitCode {
        throw DeviceError({sample->empty() ? "window" : *sample, "",
                           "this build of Threefold has no window",
                           "Use `threefold reconstruct`, or build with the release preset."});
    };
}

}  // namespace threefold
