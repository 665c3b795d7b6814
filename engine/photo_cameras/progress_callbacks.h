#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "engine/work_progress.h"

namespace threefold {

/// Progress callbacks; any may be empty. Called one at a time, from worker threads; must return
/// quickly.
struct ProgressCallbacks {
    /// Called with each photograph's problem when a search for cameras finds none and throws: the
    /// problems are then in no result.
    std::function<void(const std::string& problem)> onUnreportedProblem = {};
    WorkProgress onProgress = {};

    void report(const char* work, std::size_t done, std::size_t count) const {
        if (onProgress) onProgress(work, done, count);
    }
    /// Reports a photograph's problem; an empty text is none.
    void reportProblem(const std::string& problem) const {
        if (!problem.empty() && onUnreportedProblem) onUnreportedProblem(problem);
    }
};

}  // namespace threefold
