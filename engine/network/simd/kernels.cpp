#include "engine/network/simd/kernels.h"

#include <vector>

namespace threefold::simd {

extern const Kernels kPortable;
#if defined(__x86_64__)
extern const Kernels kAvx512;
extern const Kernels kAvx2;
#endif

std::span<const Kernels* const> availableKernels() {
    static const std::vector<const Kernels*> available = [] {
        std::vector<const Kernels*> list;
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
            list.push_back(&kAvx512);
        }
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
            list.push_back(&kAvx2);
        }
#endif
        list.push_back(&kPortable);
        return list;
    }();
    return available;
}

}  // namespace threefold::simd
