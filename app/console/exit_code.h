#pragma once

#include <algorithm>

namespace threefold {

/// Exit codes of the process; scripts rely on these numbers.
enum class ExitCode : int {
    done = 0,
    failed = 1,
    usage = 2,       ///< the command line or a configuration file is wrong
    someFailed = 3,  ///< some samples failed, or a mesh has a warning; the rest are done and listed
};

/// Exit code of a list of results: done, someFailed, or failed if none is done.
template <class Results, class IsDone>
ExitCode exitCodeOf(const Results& results, IsDone isDone) {
    if (std::ranges::none_of(results, isDone)) return ExitCode::failed;
    return std::ranges::all_of(results, isDone) ? ExitCode::done : ExitCode::someFailed;
}

}  // namespace threefold
