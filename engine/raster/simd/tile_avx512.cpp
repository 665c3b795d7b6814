#define THREEFOLD_TILES kAvx512Tiles
#define THREEFOLD_TILES_NAME "avx512"
#define THREEFOLD_LANES 8
#include "engine/raster/simd/tile_kernels.inl"
