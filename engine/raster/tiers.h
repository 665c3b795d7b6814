#pragma once

#include "engine/raster/rasterize.h"
#include "engine/raster/screen.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::raster {

/// Vertices and faces of a screen as the tile kernels take them; refers to `screen`.
Geometry geometryOf(const Screen& screen);

/// Number of threads worth starting for so many faces and pixels, 1 to `threads`.
int usefulThreads(int threads, std::size_t faces, std::size_t pixels);

/// Draw one view into `image`, already of the view's size; `prior` is empty or the view's depths.

/// Draws triangle by triangle over the bounding box, on one thread: the reference for other tiers.
void drawBasic(const Screen& screen, const RasterOptions& options, std::span<const float> prior,
               RasterImage& image);

/// Sorts the triangles into tiles and draws the tiles in parallel.
void drawTiles(const Screen& screen, const TileKernels& kernels, int threads,
               const RasterOptions& options, std::span<const float> prior, RasterImage& image);

}  // namespace threefold::raster
