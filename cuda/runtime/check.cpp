#include "cuda/runtime/check.h"

#include <array>
#include <string>
#include <string_view>

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn_graph.h>
#include <cusparse.h>
#include <fmt/format.h>

namespace threefold::cuda {
namespace {

std::string callSite(std::string_view call, std::string_view file, int line) {
    const std::size_t folder = file.rfind("/cuda/");
    if (folder != std::string_view::npos) file.remove_prefix(folder + 1);
    return fmt::format("{} at {}:{}", call, file, line);
}

std::string gpuName() {
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) {
        cudaGetLastError();
        return "GPU";
    }
    return fmt::format("GPU {}", device);
}

// Reports CUDA's last error beside the library's, if there is one: this CUDA error is often the
// cause, is more precise, and tells whether the context can still be used.
[[noreturn]] void failLibrary(std::string subject, std::string problem, bool outOfMemory,
                              const char* call, const char* file, int line) {
    cudaError_t cause = cudaGetLastError();
    // The libraries link a runtime of their own with its own last error, so query whether the
    // context can still be used.
    if (cause == cudaSuccess) {
        const cudaError_t now = cudaStreamQuery(nullptr);
        if (errorKindOf(now) == CudaErrorKind::lost) cause = now;
        cudaGetLastError();
    }
    CudaErrorKind failure = errorKindOf(cause);
    if (outOfMemory && failure == CudaErrorKind::other) failure = CudaErrorKind::outOfMemory;
    if (cause != cudaSuccess)
        problem +=
            fmt::format(", after {} ({})", cudaGetErrorName(cause), cudaGetErrorString(cause));
    throwDeviceError(failure,
                     {std::move(subject), callSite(call, file, line), std::move(problem), {}});
}

}  // namespace

void throwDeviceError(CudaErrorKind failure, ErrorReport report) {
    const auto remedy = [&report](const char* text) {
        if (report.remedy.empty()) report.remedy = text;
    };
    switch (failure) {
        case CudaErrorKind::outOfMemory:
            remedy(
                "Use a smaller batch, close other programs that use the GPU, or use the "
                "processor (`backend=cpu`).");
            throw OutOfDeviceMemory(std::move(report));
        case CudaErrorKind::lost:
            remedy(
                "Start the program again; if it happens again, use NVIDIA's kernels "
                "(`kernels=library`) or the processor (`backend=cpu`).");
            throw DeviceLost(std::move(report));
        case CudaErrorKind::other:
            break;
    }
    remedy("Check this machine (`doctor`), or use the processor (`backend=cpu`).");
    throw DeviceError(std::move(report));
}

CudaErrorKind errorKindOf(int cudaError) {
    switch (static_cast<cudaError_t>(cudaError)) {
        case cudaErrorMemoryAllocation:
            return CudaErrorKind::outOfMemory;
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorContained:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorAssert:
        case cudaErrorTensorMemoryLeak:
        case cudaErrorContextIsDestroyed:
        case cudaErrorDevicesUnavailable:
        case cudaErrorExternalDevice:
        case cudaErrorUnknown:
            return CudaErrorKind::lost;
        default:
            return CudaErrorKind::other;
    }
}

void checkCuda(int status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    const auto error = static_cast<cudaError_t>(status);
    cudaGetLastError();
    throwDeviceError(errorKindOf(status),
                     {gpuName(),
                      callSite(call, file, line),
                      fmt::format("{} ({})", cudaGetErrorName(error), cudaGetErrorString(error)),
                      {}});
}

void checkCudnn(int status, const char* call, const char* file, int line) {
    if (status == CUDNN_STATUS_SUCCESS) return;
    const auto error = static_cast<cudnnStatus_t>(status);
    std::array<char, 512> detail{};
    cudnnGetLastErrorString(detail.data(), detail.size());
    std::string problem = cudnnGetErrorString(error);
    if (detail[0] != '\0') problem += fmt::format(" ({})", detail.data());
    failLibrary("cuDNN", std::move(problem),
                error == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, call, file, line);
}

void checkCublas(int status, const char* call, const char* file, int line) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const auto error = static_cast<cublasStatus_t>(status);
    failLibrary(
        "cuBLASLt",
        fmt::format("{} ({})", cublasLtGetStatusName(error), cublasLtGetStatusString(error)),
        error == CUBLAS_STATUS_ALLOC_FAILED, call, file, line);
}

void checkCusparse(int status, const char* call, const char* file, int line) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    const auto error = static_cast<cusparseStatus_t>(status);
    failLibrary(
        "cuSPARSE",
        fmt::format("{} ({})", cusparseGetErrorName(error), cusparseGetErrorString(error)),
        error == CUSPARSE_STATUS_ALLOC_FAILED || error == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES,
        call, file, line);
}

}  // namespace threefold::cuda
