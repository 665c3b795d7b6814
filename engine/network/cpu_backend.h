#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/network/serial_backend.h"

namespace threefold {

/// Options of makeCpuBackend().
struct CpuOptions {
    /// bfloat16 applies to stage 2 only: its maps, pooled features and products, 90 % of the work.
    /// bfloat16 moves refined vertices by up to 0.0001 object units; in stage 1 as well, it would
    /// move them by up to 0.027. int8 is bfloat16 with 8-bit products in the hypothesis blocks.
    Precision precision = Precision::float32;
    int threads = 0;  ///< 0: as many as the process may use
    /// Name of one of simd::runnableNetworkKernels(); empty: the fastest.
    std::string instructions;
    std::vector<NetworkInput> quantisationSamples{};  ///< for int8: at least one
};

/// The precisions that this processor supports.
std::vector<Precision> supportedProcessorPrecisions();
/// The names of supportedProcessorPrecisions() for remedies: "float32, bfloat16 or int8".
std::string processorPrecisionNames();

/// Makes the processor's back end for both stages (METHOD.md §3 to §7). Packing the weights takes a
/// few hundred milliseconds. int8 also runs the quantisation samples to measure value ranges, stage
/// 2 with a quarter of the vertices. Throws ModelError; DeviceError if the processor lacks the
/// precision or the instructions; InputError for a bad quantisation sample, or if int8 has no
/// quantisation samples.
std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model,
                                        const CpuOptions& options = {});

}  // namespace threefold
