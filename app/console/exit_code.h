#pragma once

#include <algorithm>

namespace threefold {

/// What the process tells its caller; scripts rely on these numbers.
enum class ExitCode : int {
    done = 0,
    failed = 1,
    usage = 2,       ///< the command line or a configuration file is wrong
    someFailed = 3,  ///< some samples failed; the rest are done and listed
};

/// Of a list of results, of which each may be done.
template <class Results, class IsDone>
ExitCode exitCodeOf(const Results& results, IsDone isDone) {
    if (std::ranges::none_of(results, isDone)) return ExitCode::failed;
    return std::ranges::all_of(results, isDone) ? ExitCode::done : ExitCode::someFailed;
}

}  // namespace threefold
