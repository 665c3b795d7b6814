#include "engine/network/simd/kernels.h"

#include <vector>

#include "engine/compute/instruction_sets.h"

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
        if (runsAvx512()) list.push_back(&kAvx512);
        if (runsAvx2()) list.push_back(&kAvx2);
#endif
        list.push_back(&kPortable);
        return list;
    }();
    return available;
}

}  // namespace threefold::simd
