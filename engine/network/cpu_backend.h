#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

struct CpuOptions {
    /// bfloat16 applies to stage 2: its maps, pooled features and products, 90 % of the work. That
    /// moves refined vertices by up to 0.0001; in stage 1 as well it would by up to 0.027.
    /// int8 is bfloat16 with 8-bit products in the hypothesis blocks.
    Precision precision = Precision::float32;
    int threads = 0;      ///< 0: as many as the process may use
    std::string kernels;  ///< of simd::availableKernels(), by name; empty: the fastest
    std::vector<NetworkInput> calibration{};  ///< for int8, at least one: to measure its steps on
};

/// The precisions that this processor computes in.
std::vector<Precision> processorPrecisions();
/// "float32, bfloat16 or int8": those, for remedies.
std::string processorPrecisionNames();

/// Both stages on the processor (METHOD.md §3 to §7). Packs the weights: a few hundred
/// milliseconds; int8 also runs the samples, stage 2 at a quarter of their vertices, for the ranges
/// of its steps. Throws ModelError; DeviceError when the processor lacks the precision or the
/// kernels; InputError for a calibration sample, or where int8 has none.
std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model,
                                        const CpuOptions& options = {});

}  // namespace threefold
