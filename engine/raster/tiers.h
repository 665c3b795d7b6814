#pragma once

#include "engine/raster/rasterize.h"
#include "engine/raster/screen.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::raster {

Geometry geometryOf(const Screen& screen);

/// How many of `threads` are worth starting for so many faces and pixels, at least 1.
int usefulThreads(int threads, std::size_t faces, std::size_t pixels);

// Both draw one view into `image`, which has its size; `prior` is empty or the view's.

/// One thread, triangle by triangle over its bounding box: the reference of the other tiers.
void drawBasic(const Screen& screen, const RasterOptions& options, std::span<const float> prior,
               RasterImage& image);

/// Sorts the triangles into tiles and draws those, tiles over threads.
void drawTiles(const Screen& screen, const TileKernels& kernels, int threads,
               const RasterOptions& options, std::span<const float> prior, RasterImage& image);

}  // namespace threefold::raster
