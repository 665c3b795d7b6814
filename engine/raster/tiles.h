#pragma once

#include "engine/raster/rasterize.h"
#include "engine/raster/screen.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::raster {

/// Sorts the triangles into tiles and draws those, tiles over threads. `image` has its size;
/// `prior` is empty or the view's.
void drawTiles(const Screen& screen, const TileKernels& kernels, int threads,
               const RasterOptions& options, std::span<const float> prior, RasterImage& image);

}  // namespace threefold::raster
