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

using DnnHandle = OwnedHandle<cudnnHandle_t, cudnnDestroy>;
using BlasHandle = OwnedHandle<cublasLtHandle_t, cublasLtDestroy>;
using SparseHandle = OwnedHandle<cusparseHandle_t, cusparseDestroy>;

using DnnDescriptor = OwnedHandle<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor>;
using BlasProduct = OwnedHandle<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using BlasLayout = OwnedHandle<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using BlasPreference = OwnedHandle<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;
using SparseMatrixHandle = OwnedHandle<cusparseSpMatDescr_t, cusparseDestroySpMat>;
using DenseMatrixHandle = OwnedHandle<cusparseDnMatDescr_t, cusparseDestroyDnMat>;

/// Creates a cuBLASLt handle. Throws DeviceError; where there is no device, the error has CUDA's
/// own reason.
inline BlasHandle makeBlasHandle() {
    return makeOwned<BlasHandle>(
        [](cublasLtHandle_t* handle) { CUBLAS_CHECK(cublasLtCreate(handle)); });
}

/// Chosen algorithms by operation name ("convolution 3 images 224 16>32 3/2 float16"). Texts are
/// UTF-8 without control characters, some 50 KB for a convolution whose kernel was compiled.
///
/// Constructors of the library path's objects measure, and store here, entries that are missing or
/// unusable. Fill the map from a TuningPlan before; afterwards store the map in the plan and trim
/// the pool, which frees the memory that timing used.
using Algorithms = std::map<std::string, std::string>;

/// Library handles and memory for the objects of the library path; must outlive these objects. One
/// per concurrent stream, since handles of cuDNN and cuSPARSE carry state. One thread at a time.
struct Context {
    /// `setupStream`: stream for copying constants and timing algorithms; must not be capturing.
    /// Throws DeviceError.
    Context(MemoryPool& memory, Stream setupStream, Algorithms& algorithms);

    /// Zeroed memory for timing candidates. Throws OutOfDeviceMemory, DeviceError.
    PooledMemory zeros(std::size_t bytes);

    MemoryPool& memory;
    Stream setupStream;
    DnnHandle cudnn;
    BlasHandle cublasLt;
    SparseHandle cusparse;
    Algorithms& algorithms;
};

/// One launch of a longer sequence, or one call of a library.
struct Operation {
    std::string name;  ///< "convolution 3 images 56 64>64 3/1 float16", "layer 3 product", …
    double bytes = 0;  ///< minimum device-memory traffic
    double flop = 0;   ///< multiply-adds × 2; 0 if not counted
};

/// Called in place of each operation; must call `work`, which enqueues the operation, at least
/// once. Extra calls repeat the additions of operations that accumulate.
using OperationHook =
    std::function<void(const Operation& operation, const std::function<void()>& work)>;

/// The hook that only calls `work`.
inline void runOperation(const Operation& /*operation*/, const std::function<void()>& work) {
    work();
}

}  // namespace threefold::cuda::library
