#pragma once

#include <cstddef>
#include <functional>

#include "engine/run_step.h"

namespace threefold {

/// Progress of a step; `fraction` rises from 0 (begun) to 1.
struct Progress {
    RunStep step;
    float fraction;
};

/// Receives progress on the thread that does the work; must return quickly. May be empty.
using ProgressFunction = std::function<void(const Progress&)>;

/// Receives the progress of work on photographs: the name of the step, and `done` of `count`
/// photographs, 0 of 0 if unknown. Must return quickly. May be empty.
using WorkProgress = std::function<void(const char* work, std::size_t done, std::size_t count)>;

}  // namespace threefold
