#pragma once

#include <functional>
#include <map>
#include <string>

#include <cublasLt.h>
#include <cudnn_graph.h>
#include <cusparse.h>

#include "cuda/runtime/handles.h"
#include "cuda/runtime/memory_pool.h"
#include "cuda/runtime/stream.h"

namespace threefold::cuda::library {

using DnnHandle = Owned<cudnnHandle_t, cudnnDestroy>;
using BlasHandle = Owned<cublasLtHandle_t, cublasLtDestroy>;
using SparseHandle = Owned<cusparseHandle_t, cusparseDestroy>;

using DnnDescriptor = Owned<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor>;
using BlasProduct = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using BlasLayout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using BlasPreference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;
using SparseRows = Owned<cusparseSpMatDescr_t, cusparseDestroySpMat>;
using SparseDense = Owned<cusparseDnMatDescr_t, cusparseDestroyDnMat>;

/// Throws DeviceError, with CUDA's own reason where there is no device.
inline BlasHandle makeBlasHandle() {
    return owning<BlasHandle>(
        [](cublasLtHandle_t* handle) { CUBLAS_CHECK(cublasLtCreate(handle)); });
}

/// Chosen algorithms by the name of what they compute ("convolution 3 images 224 16>32 3/2
/// float16"): UTF-8 without control characters, some 50 KB for a convolution whose kernel was
/// compiled. Fill it from a Plan before objects are made; what is missing, or does not work here
/// any more, is measured and put in. Keep it in the Plan afterwards, and trim the pool: timing took
/// memory that nothing needs any more.
using Algorithms = std::map<std::string, std::string>;

/// What the library path's objects are made with; outlives them. One for each of the streams that
/// run side by side, since cuDNN's and cuSPARSE's handles carry state. One thread at a time.
struct Context {
    /// `prepareIn`: the stream in which constants are copied and algorithms are timed; not being
    /// captured. Throws DeviceError.
    Context(MemoryPool& memory, Stream prepareIn, Algorithms& algorithms);

    /// Memory full of zeros: what candidates are timed on. Throws OutOfDeviceMemory, DeviceError.
    PooledMemory zeros(std::size_t bytes);

    MemoryPool& memory;
    Stream stream;
    DnnHandle dnn;
    BlasHandle blas;
    SparseHandle sparse;
    Algorithms& algorithms;
};

/// One launch of a longer sequence, or one call of a library.
struct Step {
    std::string name;  ///< "convolution 3 images 56 64>64 3/1 float16", "layer 3 product", …
    double bytes = 0;  ///< the least that it must read and write in device memory
    double flop = 0;   ///< multiply-adds × 2; 0 where they do not count
};

/// Called in place of each step with `work`, which enqueues it. Must call it at least once; a step
/// that adds to its result is then added more often.
using StepHook = std::function<void(const Step& step, const std::function<void()>& work)>;

inline void runStep(const Step& /*step*/, const std::function<void()>& work) {
    work();
}

}  // namespace threefold::cuda::library
