#pragma once

namespace threefold {

/// The most main memory this process has held so far, in MB (10^6 bytes).
double peakMemoryMegabytes();

/// What it holds now; 0 where the system does not say.
double memoryMegabytes();

}  // namespace threefold
