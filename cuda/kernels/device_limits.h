#pragma once

#include <cstddef>

#include "engine/network/precision.h"

namespace threefold::cuda {

/// Device properties that determine a kernel's shape. A plain value, so that tests need no device.
struct DeviceLimits {
    int computeCapability = 0;  ///< 75, 80, 86, 89, 90, 100, 120
    int multiprocessors = 0;
    std::size_t sharedBytesPerBlock = 0;  ///< maximum with opt-in
    bool cooperativeLaunch = false;
};

/// Lowest compute capability that the plug-in supports.
inline constexpr int kMinCapability = 75;

/// Lowest compute capability that multiplies in this precision.
constexpr int minCapability(Precision precision) {
    switch (precision) {
        case Precision::float32:
        case Precision::float16:
            break;
        case Precision::tfloat32:
        case Precision::bfloat16:
        case Precision::int8:
            return 80;
    }
    return kMinCapability;
}

}  // namespace threefold::cuda
