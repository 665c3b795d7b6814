#pragma once

#include <cstddef>
#include <string>

namespace threefold {

/// One step of a reconstruction on the device: a kernel, a copy, or a library call.
struct GpuStep {
    std::string runStep;      ///< runStepName(), or "download"
    std::string name;         ///< "graph block", "convolution 3 images 56 64>64 3/1 float16", …
    std::size_t nodes = 0;    ///< number of nodes of the captured graph
    double bytes = 0;         ///< minimum traffic: inputs and outputs
    double flop = 0;          ///< multiply-adds × 2; 0 if not counted
    double milliseconds = 0;  ///< median of replays of this step alone
};

/// Peak rates of a device, measured when called.
struct GpuPeakRates {
    double teraflops = 0;           ///< a cuBLASLt product in the requested precision
    double gigabytesPerSecond = 0;  ///< a device copy, read and written bytes together
};

}  // namespace threefold
