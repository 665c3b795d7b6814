#include <CLI/CLI.hpp>

#include "app/commands/commands.h"

namespace threefold {

void addVerbose(CLI::App& command, CommandLine& line) {
    command.add_flag("-v,--verbose", line.verbose, "Say on stderr what is being done");
}

}  // namespace threefold
