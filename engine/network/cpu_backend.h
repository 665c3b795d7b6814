#pragma once

#include <memory>

#include "engine/network/backend.h"

namespace threefold {

struct CpuOptions {
    Precision precision = Precision::float32;
    int threads = 0;  ///< 0: as many as the process may use
};

/// True where the processor multiplies bfloat16 natively (AVX-512 BF16, AMX).
bool cpuHasBfloat16();

/// Both stages on the processor (METHOD.md §3 to §7). Packs the weights: a few hundred
/// milliseconds. Throws ModelError; DeviceError when bfloat16 is asked of a processor without it.
std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model,
                                        const CpuOptions& options = {});

}  // namespace threefold
