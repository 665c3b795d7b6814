#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/raster/rasterize.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::test {

/// One way to draw: a tier, or a set of instructions that this machine has and `vectorised` may not
/// choose.
struct Drawer {
    std::string name;
    RasterTier tier = RasterTier::basic;
    const raster::TileKernels* kernels = nullptr;  ///< those, where not null
    int threads = 1;

    RasterImage draw(std::span<const glm::vec4> clip, const Faces& faces,
                     const RasterOptions& options) const;
};

/// basic, tiled and every instruction set, with one thread.
std::vector<Drawer> drawers();

/// Those, vectorised as users get it, and all with three threads.
std::vector<Drawer> allDrawers();

inline void PrintTo(const Drawer& drawer, std::ostream* out) {
    *out << drawer.name;
}

RasterOptions imageOf(std::uint32_t width, std::uint32_t height);

}  // namespace threefold::test
