#include "engine/network/simd/kernels.h"

#include "engine/compute/variants.h"

namespace threefold::simd {

extern const Kernels kPortable, kAvx2, kAvx512;

std::span<const Kernels* const> availableKernels() {
    return simd::runnableVariants<kPortable, kAvx2, kAvx512>();
}

}  // namespace threefold::simd
