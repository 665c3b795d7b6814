#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/raster/rasterize.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::test {

/// A rasteriser under test: a tier, or RasterTier::vectorised with a given instruction set of this
/// machine, which the tier might not choose by itself.
struct Drawer {
    std::string name;
    RasterTier tier = RasterTier::basic;
    const raster::TileKernels* kernels = nullptr;  ///< instruction set of the vectorised tier;
                                                   ///< null: `tier` draws
    int threads = 1;

    RasterImage draw(std::span<const glm::vec4> clip, const Faces& faces,
                     const RasterOptions& options) const;
    /// Like draw(), into an image that may hold an earlier drawing of the same size.
    void drawInto(RasterImage& image, std::span<const glm::vec4> clip, const Faces& faces,
                  const RasterOptions& options) const;
};

/// Rasterisers on one thread: the basic tier, the tiled tier, and every instruction set.
std::vector<Drawer> drawers();

/// drawers(); the tiled tier and every instruction set with three threads; and the vectorised tier
/// with the instruction set that it chooses and all available threads.
std::vector<Drawer> allDrawers();

inline void PrintTo(const Drawer& drawer, std::ostream* out) {
    *out << drawer.name;
}

RasterOptions optionsForSize(std::uint32_t width, std::uint32_t height);

}  // namespace threefold::test
