#include <fmt/format.h>

#include "engine/network/cuda_plugin.h"

namespace threefold {

std::string cudaPluginVersion() {
    return fmt::format("{}, compiler {}, contract {}", THREEFOLD_VERSION, __VERSION__,
                       THREEFOLD_CONTRACT);
}

}  // namespace threefold
