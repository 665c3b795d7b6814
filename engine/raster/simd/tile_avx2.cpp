#define THREEFOLD_TILES kAvx2Tiles
#define THREEFOLD_TILES_NAME "avx2"
#define THREEFOLD_LANES 4
#include "engine/raster/simd/tile_kernels.inl"
