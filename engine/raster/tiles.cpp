#include "engine/raster/tiers.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "engine/compute/aligned_buffer.h"
#include "engine/compute/parallel.h"
#include "engine/raster/bins.h"
#include "engine/raster/triangle.h"

namespace threefold::raster {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// A thread's own memory.
struct Scratch {
    AlignedBuffer<double> depth{kTileRoom};
    AlignedBuffer<double> least{kTileRoom};
    AlignedBuffer<TriangleId> seen{kTileRoom};
    std::vector<TriangleId> ids;
};

class TileDrawing {
  public:
    TileDrawing(const Screen& screen, const TileKernels& kernels, int threads,
                const RasterOptions& options, std::span<const float> prior, RasterImage& image)
        : screen_(screen),
          kernels_(kernels),
          options_(options),
          prior_(prior),
          image_(image),
          geometry_{static_cast<std::int32_t>(screen.width),
                    static_cast<std::int32_t>(screen.height), screen.vertices.get(),
                    &screen.faces->front().x, screen.pieces.data()},
          bins_(screen, geometry_, kernels, threads, options.cancel),
          scratch_(static_cast<std::size_t>(threads)) {
        const std::size_t tiles =
            static_cast<std::size_t>(bins_.columns()) * static_cast<std::size_t>(bins_.rows());
        parallelFor(threads, tiles, options.cancel, [&](std::size_t tile, std::size_t thread) {
            if (!scratch_[thread]) scratch_[thread] = std::make_unique<Scratch>();
            drawTile(tile, *scratch_[thread]);
        });
        image_.degenerate = bins_.degenerate();
    }

  private:
    std::size_t pixelIndex(const Tile& tile, std::int32_t row) const {
        return static_cast<std::size_t>(tile.top + row) * screen_.width +
               static_cast<std::size_t>(tile.left);
    }

    void drawTile(std::size_t index, Scratch& scratch) {
        const auto column = static_cast<std::int32_t>(index) % bins_.columns();
        const auto row = static_cast<std::int32_t>(index) / bins_.columns();
        Tile tile{column * kTileWidth,  row * kTileHeight,   0,      0,
                  scratch.depth.data(), scratch.seen.data(), nullptr};
        tile.width = std::min(kTileWidth, geometry_.width - tile.left);
        tile.height = std::min(kTileHeight, geometry_.height - tile.top);
        bins_.collect(index, scratch.ids);
        if (scratch.ids.empty()) return leaveEmpty(tile);
        std::fill_n(tile.depth, kTileRoom, kFar);
        std::fill_n(tile.seen, kTileRoom, kNothing);
        if (!prior_.empty()) tile.least = fillLeast(tile, scratch);
        kernels_.draw(geometry_, scratch.ids.data(), scratch.ids.size(), tile);
        const std::size_t first = pixelIndex(tile, 0);
        kernels_.resolve(geometry_, tile, image_.face.data() + first, &image_.barycentric[first].x);
        if (!screen_.pieces.empty()) resolvePieces(tile);
        if (options_.wantDepth) copyDepth(tile);
    }

    void leaveEmpty(const Tile& tile) {
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const std::size_t first = pixelIndex(tile, y);
            std::fill_n(image_.face.data() + first, tile.width, 0U);
            std::fill_n(image_.barycentric.data() + first, tile.width, glm::vec3(0));
            if (options_.wantDepth)
                std::fill_n(image_.depth.data() + first, tile.width, static_cast<float>(kFar));
        }
    }

    const double* fillLeast(const Tile& tile, Scratch& scratch) const {
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const float* from = prior_.data() + pixelIndex(tile, y);
            double* to = scratch.least.data() + y * kTileStride;
            for (std::int32_t x = 0; x < tile.width; ++x) {
                to[x] = leastDepth(from[x], options_.occlusionTruncation);
            }
        }
        return scratch.least.data();
    }

    void resolvePieces(const Tile& tile) {
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const std::size_t row = pixelIndex(tile, y);
            for (std::int32_t x = 0; x < tile.width; ++x) {
                const TriangleId id = tile.seen[y * kTileStride + x];
                if (id == kNothing || (id & kPiece) == 0) continue;
                const std::size_t pixel = row + static_cast<std::size_t>(x);
                image_.face[pixel] = screen_.faceOf(id) + 1;
                image_.barycentric[pixel] = barycentricAt(screen_, id, pixelCentre(tile.left + x),
                                                          pixelCentre(tile.top + y));
            }
        }
    }

    void copyDepth(const Tile& tile) {
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const double* from = tile.depth + y * kTileStride;
            std::copy_n(from, tile.width, image_.depth.data() + pixelIndex(tile, y));
        }
    }

    const Screen& screen_;
    const TileKernels& kernels_;
    const RasterOptions& options_;
    std::span<const float> prior_;
    RasterImage& image_;
    Geometry geometry_;
    Bins bins_;
    std::vector<std::unique_ptr<Scratch>> scratch_;
};

}  // namespace

void drawTiles(const Screen& screen, const TileKernels& kernels, int threads,
               const RasterOptions& options, std::span<const float> prior, RasterImage& image) {
    TileDrawing(screen, kernels, threads, options, prior, image);
}

}  // namespace threefold::raster
