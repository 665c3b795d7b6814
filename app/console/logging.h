#pragma once

#include <string_view>

#include "engine/progress.h"

namespace threefold {

/// Log lines go to stderr, each "threefold: text"; standard output is for results alone.
void startLogging();

/// Warnings and errors only, or everything.
void setLogVerbosity(bool verbose);

/// One line, from any thread: what the other folders' LogFunction is given.
void logLine(LogLevel level, std::string_view line);

}  // namespace threefold
