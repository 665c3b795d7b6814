#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "engine/raster/screen.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::raster {

/// Which triangles may touch which tile.
class Bins {
  public:
    /// Throws Cancelled.
    Bins(const Screen& screen, const Geometry& geometry, const TileKernels& kernels,
         int mostThreads, const std::stop_token& cancel);

    std::int32_t columns() const { return columns_; }
    std::int32_t rows() const { return rows_; }
    std::size_t degenerate() const;

    /// A tile's triangles, in the order of their faces; replaces what is in `ids`.
    void collect(std::size_t tile, std::vector<TriangleId>& ids) const;

  private:
    struct Large {
        TriangleId id;
        TileBox box;
    };

    /// Consecutive faces. Lists of a few thousand are sorted within the cache and without
    /// synchronising threads.
    struct Chunk {
        std::vector<std::uint32_t> start;  ///< of each tile in `ids`, and their end
        std::vector<TriangleId> ids;
        std::vector<Large> large;  ///< touch too many tiles to be listed in each
        std::size_t degenerate = 0;
    };

    class Sorter;
    void collectWithLarge(const Chunk& chunk, std::size_t tile, std::vector<TriangleId>& ids) const;

    const Screen& screen_;
    std::int32_t columns_;
    std::int32_t rows_;
    std::vector<Chunk> chunks_;
};

}  // namespace threefold::raster
