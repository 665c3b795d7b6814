#pragma once

struct CUstream_st;

namespace threefold::cuda {

/// Queue of work on a device, done in order: cudaStream_t, declared without CUDA's header. Null
/// where kernels run as plain C++.
using Stream = CUstream_st*;

}  // namespace threefold::cuda
