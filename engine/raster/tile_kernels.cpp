#include "engine/raster/tile_kernels.h"

#include "engine/compute/variants.h"

namespace threefold::raster {

extern const TileKernels kPortableTiles, kAvx2Tiles, kAvx512Tiles;

std::span<const TileKernels* const> availableTileKernels() {
    return simd::runnableVariants<kPortableTiles, kAvx2Tiles, kAvx512Tiles>();
}

}  // namespace threefold::raster
