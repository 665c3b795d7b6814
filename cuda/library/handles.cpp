#include "cuda/library/handles.h"

#include "cuda/runtime/check.h"

namespace threefold::cuda::library {

DnnHandle makeDnnHandle() {
    cudnnHandle_t handle = nullptr;
    CUDNN_CHECK(cudnnCreate(&handle));
    return DnnHandle(handle);
}

BlasHandle makeBlasHandle() {
    cublasLtHandle_t handle = nullptr;
    CUBLAS_CHECK(cublasLtCreate(&handle));
    return BlasHandle(handle);
}

SparseHandle makeSparseHandle() {
    cusparseHandle_t handle = nullptr;
    CUSPARSE_CHECK(cusparseCreate(&handle));
    return SparseHandle(handle);
}

}  // namespace threefold::cuda::library
