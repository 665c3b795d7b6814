#pragma once

#include <string>

namespace threefold {

/// Comparison of one operation on the device and the processor, for `threefold doctor`.
struct GpuCheck {
    std::string name;  ///< "hypothesis block, float16"
    bool passed = false;
    double error = 0;  ///< largest deviation, relative to the largest magnitude
    double allowed = 0;
    double milliseconds = 0;
    double peakFraction = 0;  ///< fraction of the device's measured peak rate; 0 if none applies
    std::string remark;
};

}  // namespace threefold
