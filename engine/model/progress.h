#pragma once

#include <functional>

#include "engine/model/run_step.h"

namespace threefold {

/// Progress of a run step; `fraction` rises from 0 (begun) to 1.
struct Progress {
    RunStep step;
    float fraction;
};

/// Receives progress on the thread that does the work; must return quickly. May be empty.
using ProgressFunction = std::function<void(const Progress&)>;

}  // namespace threefold
