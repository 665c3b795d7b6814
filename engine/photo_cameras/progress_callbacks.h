#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "engine/work_progress.h"

namespace threefold {

/// Progress callbacks; any may be empty. Called one at a time, from worker threads; must return
/// quickly.
struct ProgressCallbacks {
    /// Called with each photograph's problem before a search throws because it found no cameras:
    /// then there is no result that contains the problems.
    std::function<void(const std::string& problem)> onUnreportedProblem = {};
    WorkProgress onProgress = {};

    void report(const char* work, std::size_t done, std::size_t count) const {
        if (onProgress) onProgress(work, done, count);
    }
    /// Reports a photograph's problem, unless it is empty.
    void reportProblem(const std::string& problem) const {
        if (!problem.empty() && onUnreportedProblem) onUnreportedProblem(problem);
    }
};

}  // namespace threefold
