#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

#include "cuda/kernels/element.h"

namespace threefold::cuda {

/// Tensor in device memory for a probe to copy: rows of shape.back() values.
struct DeviceTensor {
    std::string_view name;  ///< name in the golden files (TensorProbe)
    std::vector<std::size_t> shape;
    const void* values = nullptr;
    ElementType element = ElementType::float32;
    std::size_t pitch = 0;  ///< values from the beginning of a row to the next
};

/// Copies a tensor's values to the host as float32 without padding. Waits for `stream`, which must
/// not be capturing. Throws DeviceError.
std::vector<float> copyToHost(const DeviceTensor& tensor, cudaStream_t stream);

}  // namespace threefold::cuda
