#pragma once

#include <vector>

#include "cuda/backend/network.h"

namespace threefold::cuda {

/// The tensor's values as float32 without padding. Waits for `stream`; not while capturing. Throws
/// DeviceError.
std::vector<float> copyToHost(const DeviceTensor& tensor, cudaStream_t stream);

}  // namespace threefold::cuda
