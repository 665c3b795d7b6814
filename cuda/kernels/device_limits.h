#pragma once

#include <cstddef>

namespace threefold::cuda {

/// What a kernel's shape depends on. A value, so that the choice can be tested without a device.
struct DeviceLimits {
    int computeCapability = 0;  ///< 75, 80, 86, 89, 90, 100, 120
    int multiprocessors = 0;
    std::size_t sharedBytesPerBlock = 0;  ///< with the opt-in
    bool cooperativeLaunch = false;
};

}  // namespace threefold::cuda
