#pragma once

#include <cmath>

#include "cuda/portable/spelling.h"

namespace threefold::cuda {

/// dx² + dy² + dz² in float32 with rounded differences and fused sums: within 4 roundings of the
/// exact value wherever the points are, symmetric, and the same bits on every device.
THREEFOLD_DEVICE float squaredDistance(float ax, float ay, float az, float bx, float by, float bz) {
    const float dx = ax - bx;
    const float dy = ay - by;
    const float dz = az - bz;
    return fmaf(dz, dz, fmaf(dy, dy, dx * dx));
}

}  // namespace threefold::cuda
