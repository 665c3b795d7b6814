#include "render/tiled.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "render/occlusion.h"
#include "render/offscreen.h"

namespace threefold::render {
namespace {

void check(const Scene& scene, int width, int height) {
    constexpr int kLongest = 1 << 30;
    if (scene.tile) {
        throw InputError({"picture", "", "a tile cannot be drawn in tiles", ""});
    }
    if (width > 0 && height > 0 && width <= kLongest && height <= kLongest) return;
    throw InputError(
        {"picture", "",
         fmt::format("size {}×{}, expected 1×1 to {}×{}", width, height, kLongest, kLongest),
         "Choose another size."});
}

// All tiles have one size, so that the device keeps its images: the last one of a row overlaps the
// one before it, with the same pixels.
int beginOf(int i, int tile, int whole) {
    return static_cast<int>(
        std::min(static_cast<std::int64_t>(i) * tile, static_cast<std::int64_t>(whole) - tile));
}

}  // namespace

void renderTiled(const Device& device, const Scene& scene, int width, int height,
                 const RowsFunction& receive, const std::stop_token& cancel) {
    constexpr int kTileWidth = 4096, kTileHeight = 512;
    renderTiled(device, scene, width, height, kTileWidth, kTileHeight, receive, cancel);
}

void renderTiled(const Device& device, const Scene& scene, int width, int height, int tileWidth,
                 int tileHeight, const RowsFunction& receive, const std::stop_token& cancel) {
    check(scene, width, height);
    tileWidth = std::min(tileWidth, width);
    tileHeight = std::min(tileHeight, height);
    const auto rowBytes = static_cast<std::size_t>(width) * 4;
    std::vector<std::uint8_t> band(rowBytes * static_cast<std::size_t>(tileHeight));
    OffscreenTarget target(device);
    Scene part = scene;
    // Neighbours that a pixel depends on.
    const int margin = occlusionReach(scene);
    const int drawnWidth = tileWidth + 2 * margin, drawnHeight = tileHeight + 2 * margin;
    for (int done = 0, row = 0; done < height; ++row) {
        const int top = beginOf(row, tileHeight, height);
        for (int column = 0, right = 0; right < width; ++column) {
            if (cancel.stop_requested()) throw Cancelled();
            const int left = beginOf(column, tileWidth, width);
            part.tile = Tile{left - margin, top - margin, width, height};
            const Image tile = target.draw(part, drawnWidth, drawnHeight);
            const auto tileBytes = static_cast<std::size_t>(tileWidth) * 4;
            const auto drawnBytes = static_cast<std::size_t>(drawnWidth) * 4;
            const auto cut = static_cast<std::size_t>(margin) * (drawnBytes + 4);
            for (std::size_t y = 0; y < static_cast<std::size_t>(tileHeight); ++y) {
                std::copy_n(tile.rgba.begin() + static_cast<std::ptrdiff_t>(cut + y * drawnBytes),
                            tileBytes,
                            band.begin() + static_cast<std::ptrdiff_t>(
                                               y * rowBytes + static_cast<std::size_t>(left) * 4));
            }
            right = left + tileWidth;
        }
        const auto known = static_cast<std::size_t>(done - top) * rowBytes;
        receive(std::span(band).subspan(known));
        done = top + tileHeight;
    }
}

}  // namespace threefold::render
