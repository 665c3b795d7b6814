#pragma once

struct CUstream_st;

namespace threefold::cuda {

/// The order in which work is done on a device: cudaStream_t without its header. Null where kernels
/// run as plain C++.
using Stream = CUstream_st*;

}  // namespace threefold::cuda
