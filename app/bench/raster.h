#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "engine/mesh.h"
#include "engine/raster/rasterize.h"

namespace threefold {

struct RasterBenchOptions {
    std::vector<std::size_t> triangles;  ///< of the meshes, about
    std::uint32_t size = 1024;           ///< width and height of the image, pixels
    int runs = 20;
    int warmup = 2;
    int threads = 0;  ///< of the tiers that use several; 0: all that the process may use
    /// Each is a tier of its own; not empty.
    std::vector<RasterInstructions> instructions = {RasterInstructions::automatic};
    bool cuda = false;  ///< the GPU's tier, too
    int device = 0;     ///< that it uses
};

/// One tier on one mesh.
struct RasterBenchCell {
    RasterTier tier = RasterTier::basic;
    RasterInstructions instructions = RasterInstructions::automatic;  ///< of the tier vectorised
    double medianMs = 0;
    double leastMs = 0;
};

/// One mesh.
struct RasterBenchRow {
    std::size_t triangles = 0;
    std::size_t pixels = 0;  ///< that are not background
    std::vector<RasterBenchCell> cells;

    /// The first of the tier.
    const RasterBenchCell& cell(RasterTier tier) const;
};

/// A dented ball of about so many triangles, the same every time: both sides of it are drawn.
Mesh dentedBall(std::size_t triangles);

/// Every tier on every mesh, run by run in turn, so that all see the same machine. An image's
/// memory is reused, as a caller with many images would. Throws what rasterize() throws, and
/// Cancelled.
std::vector<RasterBenchRow> measureRaster(const RasterBenchOptions& options,
                                          const std::stop_token& cancel);

}  // namespace threefold
