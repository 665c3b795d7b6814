#pragma once

#include <cublasLt.h>
#include <cudnn_graph.h>
#include <cusparse.h>

#include "cuda/runtime/handles.h"

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

}  // namespace threefold::cuda::library
