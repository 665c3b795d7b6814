#pragma once

#include <cmath>

#include "cuda/portable/function_qualifiers.h"
#if defined(THREEFOLD_EMULATION)
#include <emulated/arithmetic.h>
#endif

/// A fast square root, and CUDA's own arithmetic: operations with explicit rounding (`__fmul_rn` is
/// never fused into a multiply-add on the device), bits as numbers, counts of bits, min and max of
/// numbers.

namespace threefold::cuda {

/// Square root of a number that is not subnormal. On the device one instruction with an error of at
/// most 3 ulp; the exactly rounded root takes ten and a branch.
THREEFOLD_HOST_DEVICE float fastSqrt(float x) {
#if defined(__CUDA_ARCH__)
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
#else
    return std::sqrt(x);
#endif
}

}  // namespace threefold::cuda
