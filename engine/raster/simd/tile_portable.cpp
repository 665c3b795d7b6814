#define THREEFOLD_TILES kPortableTiles
#define THREEFOLD_TILES_NAME "portable"
#define THREEFOLD_LANES 2
#include "engine/raster/simd/tile_kernels.inl"
