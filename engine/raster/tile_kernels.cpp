#include "engine/raster/tile_kernels.h"

#include <vector>

namespace threefold::raster {

extern const TileKernels kPortableTiles;
#if defined(__x86_64__)
extern const TileKernels kAvx512Tiles;
extern const TileKernels kAvx2Tiles;
#endif

std::span<const TileKernels* const> availableTileKernels() {
    static const std::vector<const TileKernels*> available = [] {
        std::vector<const TileKernels*> list;
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
            list.push_back(&kAvx512Tiles);
        }
        if (__builtin_cpu_supports("avx2")) list.push_back(&kAvx2Tiles);
#endif
        list.push_back(&kPortableTiles);
        return list;
    }();
    return available;
}

}  // namespace threefold::raster
