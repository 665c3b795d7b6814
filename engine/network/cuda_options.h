#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "engine/log.h"
#include "engine/network/backend.h"
#include "engine/network/precision.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Choices for the GPU back end that hold for any device, precision and model.
struct CudaTuning {
    bool libraryKernels = false;  ///< cuDNN, cuBLASLt and cuSPARSE instead of the fused kernels
    /// Whether runs may time their steps with CUDA events; false overrides
    /// BatchOptions::wantTimings.
    bool stepTimes = true;
    /// Whether to fill kEntropyChannel after hypothesis blocks. This is done for batches of one
    /// sample only, because the scores of all hypotheses have to be copied from the device.
    bool entropy = false;
    int warmUpRuns = 15;  ///< runs of blank inputs when the back end opens

    // `streams`, `cudaGraphs` and `pinned` only save time: results are the same without them.
    /// Number of CUDA streams. 3: uploads overlap computation, and stage 2's convolutions overlap
    /// stage 1; 2: only the convolutions overlap; 1: nothing overlaps.
    int streams = 3;
    bool cudaGraphs = true;  ///< one launch per batch; false: one launch per kernel
    bool pinned = true;      ///< page-locked host memory; false: the driver makes one more copy

    /// Maximum device memory of captured graphs.
    std::size_t maxCudaGraphBytes = std::size_t{2} << 30;
    /// Maximum device memory for weights and buffers, without the libraries' own memory; 0: no
    /// limit. Larger batches are split.
    std::size_t memoryBytes = 0;
    /// Folder of stored plans; empty: the user's cache folder.
    std::filesystem::path planFolder = {};
};

/// Options of the GPU back end.
struct CudaOptions {
    CudaTuning tuning = {};
    Precision precision = Precision::float16;
    int device = 0;  ///< CUDA's device number
    /// Samples on which quantisation ranges are measured. If empty, the ranges of a stored plan are
    /// used; without a stored plan, the ranges are measured on the bundled samples.
    std::vector<NetworkInput> quantisationSamples = {};
    LogFunction log = {};
    /// Makes the processor's back end (float32, same model), the reference of check(), which
    /// requires this function.
    std::function<std::unique_ptr<Backend>()> makeProcessorBackend = {};
};

}  // namespace threefold
