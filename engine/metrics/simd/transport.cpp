#include "engine/metrics/simd/transport.h"

#include <vector>

#include "engine/compute/instruction_sets.h"

namespace threefold::simd {

extern const TransportKernels kPortableTransport;
#if defined(__x86_64__)
extern const TransportKernels kAvx512Transport;
extern const TransportKernels kAvx2Transport;
#endif

std::span<const TransportKernels* const> availableTransports() {
    static const std::vector<const TransportKernels*> available = [] {
        std::vector<const TransportKernels*> list;
#if defined(__x86_64__)
        if (runsAvx512()) list.push_back(&kAvx512Transport);
        if (runsAvx2()) list.push_back(&kAvx2Transport);
#endif
        list.push_back(&kPortableTransport);
        return list;
    }();
    return available;
}

}  // namespace threefold::simd
