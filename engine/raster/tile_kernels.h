#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"
#include "engine/raster/snapped_view.h"

namespace threefold::raster {

/// Tile size: depths and ids stay in the first-level cache while a tile is drawn.
inline constexpr std::int32_t kTileWidth = 64;
inline constexpr std::int32_t kTileHeight = 32;

/// Row stride with room for a whole register after the last pixel, so that stores need no bounds
/// check.
inline constexpr std::int32_t kTileStride = kTileWidth + 16;
inline constexpr std::size_t kTileElements = std::size_t{kTileStride} * kTileHeight;

/// Plain data of a SnappedView for the inner loops, without functions: see tile_kernels.inl.
struct TileGeometry {
    std::int32_t width;
    std::int32_t height;
    const ScreenVertex* vertices;
    const std::uint32_t* faces;  ///< three indices a face
    const ClippedTriangle* clippedTriangles;
};

/// Tiles that a triangle may touch, both ends included; empty if right < left.
struct TileBox {
    std::uint16_t left;
    std::uint16_t top;
    std::uint16_t right;
    std::uint16_t bottom;
};
inline constexpr TileBox kEmptyBox{1, 0, 0, 0};
inline constexpr TileBox kNeedsClippingBox{0xFFFF, 0, 0, 0};

/// The tile being drawn.
struct Tile {
    std::int32_t left = 0;  ///< first column and row, in pixels
    std::int32_t top = 0;
    std::int32_t width = 0;  ///< smaller than kTileWidth at the image's edge
    std::int32_t height = 0;
    double* depth = nullptr;  ///< rows of `stride` values
    TriangleId* ids = nullptr;
    const double* minDepth = nullptr;  ///< minimum depth to draw; null without previous depths
    std::int32_t stride = kTileStride;

    /// Offset of an image pixel in the arrays.
    std::ptrdiff_t offset(std::int32_t x, std::int32_t y) const {
        return std::ptrdiff_t{y - top} * stride + (x - left);
    }
};

/// Inner loops of the tiles, one set for each instruction set and a scalar one. Thread-safe.
struct TileKernels {
    std::string_view name;

    /// Computes the boxes of faces first…first+count−1; kNeedsClippingBox for a face that needs
    /// clipping. Returns the number of faces without area.
    std::size_t (*boxes)(const TileGeometry& geometry, std::size_t first, std::size_t count,
                         TileBox* boxes);

    /// Draws all triangles of an empty tile, in the given order; of two triangles with equal exact
    /// depths, the first is visible.
    void (*draw)(const TileGeometry& geometry, const TriangleId* ids, std::size_t count,
                 const Tile& tile);

    /// Writes face index + 1 and barycentrics (three a pixel) of a finished tile into the image;
    /// both pointers point to the tile's first pixel. Values of pixels that show pieces of clipped
    /// faces are meaningless; the caller sets them.
    void (*resolve)(const TileGeometry& geometry, const Tile& tile, std::uint32_t* face,
                    float* barycentric);
};

/// Scalar kernels, one pixel at a time, for every processor.
extern const TileKernels kScalarTiles;

/// Vectorised kernels that this processor can run, fastest first.
THREEFOLD_VARIANTS(TileKernels, runnableTileKernels)

}  // namespace threefold::raster
