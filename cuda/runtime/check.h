#pragma once

#include "engine/devices/device_error.h"

/// Wrap every call into CUDA and its libraries in one of these macros. They throw
/// OutOfDeviceMemory, DeviceLost or DeviceError; subject: GPU or library, place: call and source
/// line, problem: name and meaning of the status. They clear CUDA's last-error variable, so that
/// the next launch's check does not report the error again.
///
/// This header includes no NVIDIA header; the caller includes the declaration of the call. A status
/// of another library than the macro's does not compile.
#define CUDA_CHECK(call) ::threefold::cuda::checkCuda(static_cast<int>(cudaError_t{call}), #call)
#define CUDNN_CHECK(call) \
    ::threefold::cuda::checkCudnn(static_cast<int>(cudnnStatus_t{call}), #call)
#define CUBLAS_CHECK(call) \
    ::threefold::cuda::checkCublas(static_cast<int>(cublasStatus_t{call}), #call)
#define CUSPARSE_CHECK(call) \
    ::threefold::cuda::checkCusparse(static_cast<int>(cusparseStatus_t{call}), #call)

namespace threefold::cuda {

/// Kinds of errors of the CUDA runtime.
enum class CudaErrorKind { other, outOfMemory, lost };
CudaErrorKind errorKindOf(int cudaError);

/// Throws OutOfDeviceMemory, DeviceLost or DeviceError by kind of failure. Adds a remedy if the
/// report has none.
[[noreturn]] void throwDeviceError(CudaErrorKind failure, ErrorReport report);

void checkCuda(int status, const char* call, const char* file = __builtin_FILE(),
               int line = __builtin_LINE());
void checkCudnn(int status, const char* call, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());
void checkCublas(int status, const char* call, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE());
void checkCusparse(int status, const char* call, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE());

}  // namespace threefold::cuda
