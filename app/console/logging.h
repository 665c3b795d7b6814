#pragma once

#include <string_view>

#include "engine/progress.h"

namespace threefold {

/// Log lines go to stderr, each "threefold: text"; standard output is for results alone.
void startLogging();

/// Warnings and errors only, or everything.
void setLogVerbosity(bool verbose);

/// Logs one line, from any thread: the LogFunction that the other rooms are given.
void logLine(LogLevel level, std::string_view line);

}  // namespace threefold
