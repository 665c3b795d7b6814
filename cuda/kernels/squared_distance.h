#pragma once

#include <cmath>

#include "cuda/portable/spelling.h"

namespace threefold::cuda {

/// dx² + dy² + dz² in float32, the differences rounded first and the sums fused: within 4 roundings
/// of the exact value wherever the points lie, the same from either end, the same bits everywhere.
THREEFOLD_DEVICE float squaredDistance(float ax, float ay, float az, float bx, float by, float bz) {
    const float dx = ax - bx;
    const float dy = ay - by;
    const float dz = az - bz;
    return fmaf(dz, dz, fmaf(dy, dy, dx * dx));
}

}  // namespace threefold::cuda
