#pragma once

namespace threefold {

/// What the process tells its caller; scripts rely on these numbers.
enum class ExitCode : int {
    done = 0,
    failed = 1,
    usage = 2,       ///< the command line is wrong
    someFailed = 3,  ///< some samples failed; the rest are done and listed
};

}  // namespace threefold
