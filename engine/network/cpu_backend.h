#pragma once

#include <memory>
#include <string>

#include "engine/compute/processor.h"
#include "engine/network/backend.h"

namespace threefold {

struct CpuOptions {
    /// bfloat16 applies only to the hypothesis blocks' products, 85 % of the work. Applied
    /// everywhere, it would move refined vertices by up to 0.027 instead of 0.0003.
    Precision precision = Precision::float32;
    int threads = 0;      ///< 0: as many as the process may use
    std::string kernels;  ///< of simd::availableKernels(), by name; empty: the fastest
};

/// Both stages on the processor (METHOD.md §3 to §7). Packs the weights: a few hundred
/// milliseconds. Throws ModelError; DeviceError when the processor lacks the precision or the
/// kernels.
std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model,
                                        const CpuOptions& options = {});

}  // namespace threefold
