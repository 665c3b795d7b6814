#pragma once

#include "cuda/kernels/element.h"

namespace threefold::cuda {

/// Transform from the first view's space to a view's space, computed on the host in double
/// precision (METHOD.md §2): q = rotation · p + translation, row-major. In device memory: (batch,
/// views).
struct ViewTransform {
    double rotation[9];
    double translation[3];
};

/// Feature maps of one tap for a whole batch: (batch · views, side, side, channels), channels
/// innermost.
struct DeviceMap {
    const void* values = nullptr;  ///< values of the stage's storage ElementType
    int side = 0;
    int channels = 0;
};

inline constexpr int kMaxMapCount = 4;

}  // namespace threefold::cuda
