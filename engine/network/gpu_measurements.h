#pragma once

#include <cstddef>
#include <string>

namespace threefold {

/// One step of a reconstruction on the device: a kernel, a copy, or a library call.
struct CapturedStep {
    std::string runStep;        ///< runStepName(), or "download"
    std::string name;           ///< "graph block", "convolution 3 images 56 64>64 3/1 float16", …
    std::size_t nodeCount = 0;  ///< nodes of the captured graph
    double minTrafficBytes = 0;  ///< inputs and outputs, each once
    double flop = 0;             ///< multiply-adds × 2; 0 if not counted
    double milliseconds = 0;     ///< median of replays of this step alone
};

/// Measured peak rates of a device.
struct GpuPeakRates {
    double teraflops = 0;           ///< a cuBLASLt product in the requested precision
    double gigabytesPerSecond = 0;  ///< a device copy, read and written bytes together
};

/// Comparison of one operation on the device and the processor, for `threefold doctor`.
struct GpuCheck {
    std::string name;  ///< "hypothesis block, float16"
    bool passed = false;
    double relativeError = 0;  ///< largest deviation ÷ largest magnitude
    double maxRelativeError = 0;
    double milliseconds = 0;
    double peakFraction = 0;  ///< fraction of the device's measured peak rate; 0 if none applies
    std::string note;
};

}  // namespace threefold
