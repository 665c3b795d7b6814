#pragma once

#include "engine/raster/rasterize.h"
#include "engine/raster/snapped_view.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::raster {

/// Vertices and faces of a view as the tile kernels take them; the result refers to `snapped`.
TileGeometry tileGeometryOf(const SnappedView& snapped);

/// Number of threads worth starting for so many faces and pixels, 1 to `threads`.
int usefulThreads(int threads, std::size_t faces, std::size_t pixels);

// drawBasic() and drawTiles() draw one view into `image`, which already has the view's size.
// `previousDepths` is empty or holds the depths of the view's previous layer.

/// Draws triangle by triangle over the bounding box, on one thread: the reference for other tiers.
void drawBasic(const SnappedView& snapped, const RasterOptions& options,
               std::span<const float> previousDepths, RasterImage& image);

/// Sorts the triangles into tiles and draws the tiles in parallel.
void drawTiles(const SnappedView& snapped, const TileKernels& kernels, int threads,
               const RasterOptions& options, std::span<const float> previousDepths,
               RasterImage& image);

}  // namespace threefold::raster
