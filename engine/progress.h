#pragma once

#include <functional>
#include <string_view>

#include "engine/stage.h"

namespace threefold {

/// How the engine reports to its caller: it never prints.
enum class LogLevel { debug, info, warning, error };

/// Receives one finished line without a newline. May be empty (then nothing is reported); is called
/// from the thread that does the work.
using LogFunction = std::function<void(LogLevel, std::string_view)>;

/// A stage has begun (`done` = 0) or advanced; `done` rises from 0 to 1 within a stage.
struct Progress {
    Stage stage;
    float done;
};

/// May be empty; is called from the thread that does the work and must return quickly.
using ProgressFunction = std::function<void(const Progress&)>;

}  // namespace threefold
