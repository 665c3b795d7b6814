#pragma once

#include <cstddef>

#include "engine/network/backend.h"

namespace threefold::cuda {

/// Properties of a device that a kernel's shape depends on. A value, so that the choice can be
/// tested without a device.
struct DeviceLimits {
    int computeCapability = 0;  ///< 75, 80, 86, 89, 90, 100, 120
    int multiprocessors = 0;
    std::size_t sharedBytesPerBlock = 0;  ///< with the opt-in
    bool cooperativeLaunch = false;
};

/// Lowest compute capability that the plug-in has code for.
inline constexpr int kLeastCapability = 75;

/// Lowest compute capability that multiplies in this precision.
constexpr int leastCapability(Precision precision) {
    switch (precision) {
        case Precision::float32:
        case Precision::float16:
            break;
        case Precision::tfloat32:
        case Precision::bfloat16:
        case Precision::int8:
            return 80;
    }
    return kLeastCapability;
}

}  // namespace threefold::cuda
