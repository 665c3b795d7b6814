#pragma once

#include <memory>
#include <type_traits>

#include <cublasLt.h>
#include <cudnn_graph.h>
#include <cusparse.h>

namespace threefold::cuda::library {

namespace detail {
// Failures while something is put away are not reported: nothing could be done about them.
template <auto destroy>
struct Destroy {
    template <class Handle>
    void operator()(Handle handle) const noexcept {
        static_cast<void>(destroy(handle));
    }
};
template <class Handle, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;
}  // namespace detail

using DnnHandle = detail::Owned<cudnnHandle_t, cudnnDestroy>;
using BlasHandle = detail::Owned<cublasLtHandle_t, cublasLtDestroy>;
using SparseHandle = detail::Owned<cusparseHandle_t, cusparseDestroy>;

using DnnDescriptor = detail::Owned<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor>;
using BlasProduct = detail::Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using BlasLayout = detail::Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using BlasPreference = detail::Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;
using SparseRows = detail::Owned<cusparseSpMatDescr_t, cusparseDestroySpMat>;
using SparseDense = detail::Owned<cusparseDnMatDescr_t, cusparseDestroyDnMat>;

/// Each throws DeviceError, with CUDA's own reason where there is no device.
DnnHandle makeDnnHandle();
BlasHandle makeBlasHandle();
SparseHandle makeSparseHandle();

}  // namespace threefold::cuda::library
