#pragma once

#include <functional>
#include <string_view>

namespace threefold {

/// Severity of a log line. The engine reports through LogFunction and never prints.
enum class LogLevel { debug, info, warning, error };

/// Receives one log line without a newline, on the thread that does the work. May be empty: no
/// logging.
using LogFunction = std::function<void(LogLevel, std::string_view)>;

}  // namespace threefold
