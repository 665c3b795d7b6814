#include "engine/compute/variants.h"

namespace threefold::simd {

#if defined(__x86_64__)

bool runsAvx2() {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool runsAvx512() {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0;
}

#else

bool runsAvx2() {
    return false;
}

bool runsAvx512() {
    return false;
}

#endif

}  // namespace threefold::simd
