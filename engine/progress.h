#pragma once

#include <functional>
#include <string_view>

#include "engine/run_step.h"

namespace threefold {

/// Severity of a log line. The engine reports through LogFunction and never prints.
enum class LogLevel { debug, info, warning, error };

/// Receives one log line without a newline, on the thread that does the work. May be empty: no
/// logging.
using LogFunction = std::function<void(LogLevel, std::string_view)>;

/// Progress of a step; `fraction` rises from 0 (begun) to 1.
struct Progress {
    RunStep step;
    float fraction;
};

/// Receives progress on the thread that does the work; must return quickly. May be empty.
using ProgressFunction = std::function<void(const Progress&)>;

}  // namespace threefold
