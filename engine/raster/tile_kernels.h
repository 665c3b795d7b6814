#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"
#include "engine/raster/screen.h"

namespace threefold::raster {

/// A tile's depths and ids stay in the first-level cache while its triangles are drawn.
inline constexpr std::int32_t kTileWidth = 64;
inline constexpr std::int32_t kTileHeight = 32;

/// Rows have room for a whole register after their last pixel, so that stores need no bounds.
inline constexpr std::int32_t kTileStride = kTileWidth + 16;
inline constexpr std::size_t kTileRoom = std::size_t{kTileStride} * kTileHeight;

/// A Screen as plain data for the inner loops, without functions: see tile_kernels.inl.
struct Geometry {
    std::int32_t width;
    std::int32_t height;
    const ScreenVertex* vertices;
    const std::uint32_t* faces;  ///< three a face
    const Piece* pieces;
};

/// Tiles that a triangle may touch, both ends included. Nothing where right < left.
struct TileBox {
    std::uint16_t left;
    std::uint16_t top;
    std::uint16_t right;
    std::uint16_t bottom;
};
inline constexpr TileBox kNoTiles{1, 0, 0, 0};
inline constexpr TileBox kToCut{0xFFFF, 0, 0, 0};

/// The tile being drawn.
struct Tile {
    std::int32_t left = 0;  ///< first column and row, in pixels
    std::int32_t top = 0;
    std::int32_t width = 0;  ///< less than a whole tile at the image's edge
    std::int32_t height = 0;
    double* depth = nullptr;  ///< rows of `stride`
    TriangleId* seen = nullptr;
    const double* least = nullptr;  ///< least depth to draw; null without a prior
    std::int32_t stride = kTileStride;

    /// Where a pixel of the image lies in these.
    std::ptrdiff_t place(std::int32_t x, std::int32_t y) const {
        return std::ptrdiff_t{y - top} * stride + (x - left);
    }
};

/// The inner loops, once for each instruction set and once a pixel at a time. Thread-safe.
struct TileKernels {
    std::string_view name;

    /// Boxes of faces first…first+count−1; kToCut for one with a vertex outside. Returns how many
    /// have no area.
    std::size_t (*boxes)(const Geometry& geometry, std::size_t first, std::size_t count,
                         TileBox* boxes);

    /// Draws all triangles of a tile in which nothing has been drawn, in this order; of two with
    /// the same exact depth the first is seen.
    void (*draw)(const Geometry& geometry, const TriangleId* ids, std::size_t count,
                 const Tile& tile);

    /// Face index + 1 and barycentrics (three a pixel) of a finished tile, to its first pixel in
    /// the image. The values of pieces are meaningless; the caller sets them.
    void (*resolve)(const Geometry& geometry, const Tile& tile, std::uint32_t* face,
                    float* barycentric);
};

/// A pixel at a time, for every processor.
extern const TileKernels kScalarTiles;

/// Those with vectors that this processor can run, the fastest first.
THREEFOLD_VARIANTS(TileKernels, availableTileKernels)

}  // namespace threefold::raster
