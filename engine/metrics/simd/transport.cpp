#include "engine/metrics/simd/transport.h"

#include "engine/compute/variants.h"

namespace threefold::simd {

extern const TransportKernels kPortableTransport, kAvx2Transport, kAvx512Transport;

std::span<const TransportKernels* const> availableTransports() {
    return simd::runnableVariants<kPortableTransport, kAvx2Transport, kAvx512Transport>();
}

}  // namespace threefold::simd
