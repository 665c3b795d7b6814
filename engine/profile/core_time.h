#pragma once

namespace threefold {

/// Milliseconds that the calling thread has been on a core of the processor.
double threadCoreMilliseconds();

/// The same of all threads that the process has had.
double processCoreMilliseconds();

}  // namespace threefold
