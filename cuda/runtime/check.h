#pragma once

#include "engine/network/device_error.h"

/// Every call into CUDA and its libraries is wrapped in one of these. They throw OutOfDeviceMemory,
/// DeviceLost or DeviceError; subject: the GPU or library, place: call and source line, problem:
/// the status's name and meaning. CUDA's last-error variable is cleared, so that the next launch's
/// check does not report the error again.
///
/// This header includes none of NVIDIA's; the caller includes what declares the call. A status of
/// another library than the macro's does not compile.
#define CUDA_CHECK(call) ::threefold::cuda::checkCuda(static_cast<int>(cudaError_t{call}), #call)
#define CUDNN_CHECK(call) \
    ::threefold::cuda::checkCudnn(static_cast<int>(cudnnStatus_t{call}), #call)
#define CUBLAS_CHECK(call) \
    ::threefold::cuda::checkCublas(static_cast<int>(cublasStatus_t{call}), #call)
#define CUSPARSE_CHECK(call) \
    ::threefold::cuda::checkCusparse(static_cast<int>(cusparseStatus_t{call}), #call)

namespace threefold::cuda {

/// Kinds of errors of the CUDA runtime.
enum class DeviceFailure { other, outOfMemory, lost };
DeviceFailure failureOf(int cudaError);

/// Throws what such a failure is to callers: OutOfDeviceMemory, DeviceLost or DeviceError. A remedy
/// is added where the report has none.
[[noreturn]] void throwFailure(DeviceFailure failure, ErrorReport report);

void checkCuda(int status, const char* call, const char* file = __builtin_FILE(),
               int line = __builtin_LINE());
void checkCudnn(int status, const char* call, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());
void checkCublas(int status, const char* call, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE());
void checkCusparse(int status, const char* call, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE());

}  // namespace threefold::cuda
