#pragma once

#include "cuda/kernels/element.h"

namespace threefold::cuda {

/// From the first view's space to a view, precomputed on the host in double precision (METHOD.md
/// §2): q = rotation · p + offset, row-major. Lies in device memory, (batch, views).
struct ViewTransform {
    double rotation[9];
    double offset[3];
};

/// One tap's maps of a whole batch: (batch · views, side, side, channels), channels innermost.
struct DeviceMap {
    const void* values = nullptr;  ///< of the stage's storage Element
    int side = 0;
    int channels = 0;
};

inline constexpr int kMostMaps = 4;

}  // namespace threefold::cuda
