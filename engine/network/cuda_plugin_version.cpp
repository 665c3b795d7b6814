#include <fmt/format.h>

#include "engine/network/cuda_plugin.h"

namespace threefold {

std::string cudaPluginVersion() {
    return fmt::format("{}, compiler {}, layout {}.{}.{}.{}.{}", THREEFOLD_VERSION, __VERSION__,
                       sizeof(CudaPlugin), sizeof(CudaOptions), sizeof(Model), sizeof(NetworkInput),
                       sizeof(Reconstruction));
}

}  // namespace threefold
