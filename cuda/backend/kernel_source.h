#pragma once

namespace threefold::cuda {

/// Kernels that compute the graph and hypothesis blocks.
enum class KernelSource {
    fused,    ///< the fused kernels, as far as the device can run them
    library,  ///< NVIDIA's libraries
};

}  // namespace threefold::cuda
