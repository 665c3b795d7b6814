#pragma once

#include <functional>

#include "app/console/exit_code.h"
#include "app/options/model_options.h"

namespace threefold {

/// What parsing leaves behind: options that several commands share, and the work itself, which
/// runs after parsing so that its failures are not taken for mistakes on the command line.
struct CommandLine {
    ModelOptions model;
    bool verbose = false;
    std::function<ExitCode()> action;
};

}  // namespace threefold
