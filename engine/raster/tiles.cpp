#include "engine/raster/draw.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "engine/compute/aligned_buffer.h"
#include "engine/compute/parallel.h"
#include "engine/raster/triangle.h"

namespace threefold::raster {
namespace {

/// Maximum number of tile lists that hold one triangle; a triangle over more tiles is kept as a
/// LargeTriangle.
constexpr int kMaxListedTiles = 16;

constexpr std::size_t kMinChunk = 512;                    // faces
constexpr std::size_t kDefaultChunk = 4096;               // faces
constexpr std::size_t kMaxStarts = std::size_t{1} << 24;  // in all chunks together: 64 MiB

constexpr std::int32_t tilesIn(std::uint32_t pixels, std::int32_t tile) {
    return (static_cast<std::int32_t>(pixels) + tile - 1) / tile;
}

std::size_t facesInChunk(std::size_t faces, std::size_t tiles, int threads) {
    constexpr std::size_t kChunksPerThread = 8;
    const std::size_t even = faces / (static_cast<std::size_t>(threads) * kChunksPerThread) + 1;
    return std::max(std::clamp(even, kMinChunk, kDefaultChunk), faces / (kMaxStarts / tiles) + 1);
}

TileBox boxOf(const SnappedView& snapped, TriangleId id) {
    const ScreenVertex* v[3];
    snapped.corners(id, v);
    const PixelBox box = pixelBox(v, snapped.width, snapped.height);
    if (box.empty()) return kEmptyBox;
    return {static_cast<std::uint16_t>(box.left / kTileWidth),
            static_cast<std::uint16_t>(box.top / kTileHeight),
            static_cast<std::uint16_t>(box.right / kTileWidth),
            static_cast<std::uint16_t>(box.bottom / kTileHeight)};
}

struct LargeTriangle {
    TriangleId id;
    TileBox box;
};

/// Tile lists of a range of faces. The lists of a few thousand faces are sorted in the processor's
/// cache, and without synchronising threads.
struct Chunk {
    std::vector<std::uint32_t> start;  ///< start of each tile in `ids`, then the end
    std::vector<TriangleId> ids;
    std::vector<LargeTriangle> large;  ///< triangles over too many tiles to be listed
    std::size_t degenerate = 0;
};

/// Fills chunks one after another; one sorter per thread.
class Sorter {
  public:
    Sorter(const SnappedView& snapped, const TileGeometry& geometry, const TileKernels& kernels,
           std::int32_t columns, std::int32_t rows)
        : snapped_(snapped),
          geometry_(geometry),
          kernels_(kernels),
          columns_(static_cast<std::uint32_t>(columns)),
          tiles_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

    void fill(std::size_t first, std::size_t count, Chunk& chunk) {
        entries_.clear();
        chunk.start.assign(tiles_ + 1, 0);
        std::array<TileBox, 256> boxes;
        for (std::size_t done = 0; done < count; done += boxes.size()) {
            const std::size_t batch = std::min(boxes.size(), count - done);
            chunk.degenerate += kernels_.boxes(geometry_, first + done, batch, boxes.data());
            for (std::size_t i = 0; i < batch; ++i) {
                const auto face = static_cast<std::uint32_t>(first + done + i);
                if (boxes[i].left == kNeedsClippingBox.left) {
                    addPieces(face, chunk);
                } else {
                    add(face, boxes[i], chunk);
                }
            }
        }
        sort(chunk);
    }

  private:
    struct Entry {
        std::uint32_t tile;
        TriangleId id;
    };

    void add(TriangleId id, const TileBox& box, Chunk& chunk) {
        if (box.right < box.left) return;
        if ((box.right - box.left + 1) * (box.bottom - box.top + 1) > kMaxListedTiles) {
            chunk.large.push_back({id, box});
            return;
        }
        for (std::uint32_t y = box.top; y <= box.bottom; ++y) {
            for (std::uint32_t x = box.left; x <= box.right; ++x) {
                const std::uint32_t tile = y * columns_ + x;
                entries_.push_back({tile, id});
                ++chunk.start[tile + 1];
            }
        }
    }

    void addPieces(std::uint32_t face, Chunk& chunk) {
        const std::vector<ClippedTriangle>& pieces = snapped_.clippedTriangles;
        for (std::size_t p = snapped_.firstClippedTriangle(face);
             p < pieces.size() && pieces[p].face == face; ++p) {
            const TriangleId id = kClippedFlag + static_cast<TriangleId>(p);
            add(id, boxOf(snapped_, id), chunk);
        }
    }

    void sort(Chunk& chunk) {
        for (std::size_t t = 0; t < tiles_; ++t) chunk.start[t + 1] += chunk.start[t];
        next_.assign(chunk.start.begin(), chunk.start.end() - 1);
        chunk.ids.resize(entries_.size());
        for (const Entry& entry : entries_) chunk.ids[next_[entry.tile]++] = entry.id;
    }

    const SnappedView& snapped_;
    const TileGeometry& geometry_;
    const TileKernels& kernels_;
    std::uint32_t columns_;
    std::size_t tiles_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> next_;
};

/// Lists of the triangles that may touch each tile.
class Bins {
  public:
    /// Throws Cancelled.
    Bins(const SnappedView& snapped, const TileGeometry& geometry, const TileKernels& kernels,
         int maxThreads, const std::stop_token& cancel)
        : snapped_(snapped),
          columns_(tilesIn(snapped.width, kTileWidth)),
          rows_(tilesIn(snapped.height, kTileHeight)) {
        const std::size_t faces = snapped.faces->size();
        const std::size_t tiles =
            static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
        // Sorting fewer faces takes less time than starting a thread.
        constexpr std::size_t kFacesPerThread = 8192;
        const int threads = static_cast<int>(
            std::min(faces / kFacesPerThread + 1, static_cast<std::size_t>(maxThreads)));
        const std::size_t step = facesInChunk(faces, tiles, threads);
        chunks_.resize((faces + step - 1) / step);
        std::vector<Sorter> sorters(static_cast<std::size_t>(threads),
                                    Sorter(snapped, geometry, kernels, columns_, rows_));
        parallelFor(threads, chunks_.size(), cancel, [&](std::size_t c, std::size_t thread) {
            sorters[thread].fill(c * step, std::min(step, faces - c * step), chunks_[c]);
        });
    }

    std::int32_t columns() const { return columns_; }
    std::int32_t rows() const { return rows_; }
    std::size_t degenerate() const {
        std::size_t sum = snapped_.degenerateClippedFaceCount;
        for (const Chunk& chunk : chunks_) sum += chunk.degenerate;
        return sum;
    }

    /// Replaces `ids` by the triangles of a tile, in the order of their faces.
    void collect(std::size_t tile, std::vector<TriangleId>& ids) const {
        ids.clear();
        for (const Chunk& chunk : chunks_) {
            if (!chunk.large.empty()) {
                collectWithLarge(chunk, tile, ids);
            } else {
                const TriangleId* list = chunk.ids.data();
                ids.insert(ids.end(), list + chunk.start[tile], list + chunk.start[tile + 1]);
            }
        }
    }

  private:
    void collectWithLarge(const Chunk& chunk, std::size_t tile,
                          std::vector<TriangleId>& ids) const {
        const std::size_t column = tile % static_cast<std::size_t>(columns_);
        const std::size_t row = tile / static_cast<std::size_t>(columns_);
        std::uint32_t next = chunk.start[tile];
        const std::uint32_t end = chunk.start[tile + 1];
        for (const LargeTriangle& large : chunk.large) {
            const TileBox& box = large.box;
            if (column < box.left || column > box.right || row < box.top || row > box.bottom)
                continue;
            const std::uint32_t face = snapped_.faceOf(large.id);
            while (next < end && snapped_.faceOf(chunk.ids[next]) < face)
                ids.push_back(chunk.ids[next++]);
            ids.push_back(large.id);
        }
        ids.insert(ids.end(), chunk.ids.begin() + next, chunk.ids.begin() + end);
    }

    const SnappedView& snapped_;
    std::int32_t columns_;
    std::int32_t rows_;
    std::vector<Chunk> chunks_;
};

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Working memory of one thread.
struct Scratch {
    AlignedBuffer<double> depth{kTileElements};
    AlignedBuffer<double> minDepth{kTileElements};
    AlignedBuffer<TriangleId> tileIds{kTileElements};
    std::vector<TriangleId> ids;
};

class TileDrawing {
  public:
    TileDrawing(const SnappedView& snapped, const TileKernels& kernels, int threads,
                const RasterOptions& options, std::span<const float> previousDepths,
                RasterImage& image)
        : snapped_(snapped),
          kernels_(kernels),
          options_(options),
          previousDepths_(previousDepths),
          image_(image),
          geometry_(tileGeometryOf(snapped)),
          bins_(snapped, geometry_, kernels, threads, options.cancel),
          scratch_(static_cast<std::size_t>(threads)) {
        const std::size_t tiles =
            static_cast<std::size_t>(bins_.columns()) * static_cast<std::size_t>(bins_.rows());
        parallelFor(threads, tiles, options.cancel, [&](std::size_t tile, std::size_t thread) {
            if (!scratch_[thread]) scratch_[thread] = std::make_unique<Scratch>();
            drawTile(tile, *scratch_[thread]);
        });
        image_.degenerateFaceCount = bins_.degenerate();
    }

  private:
    std::size_t pixelIndex(const Tile& tile, std::int32_t row) const {
        return static_cast<std::size_t>(tile.top + row) * snapped_.width +
               static_cast<std::size_t>(tile.left);
    }

    void drawTile(std::size_t index, Scratch& scratch) {
        const auto column = static_cast<std::int32_t>(index) % bins_.columns();
        const auto row = static_cast<std::int32_t>(index) / bins_.columns();
        Tile tile{.left = column * kTileWidth,
                  .top = row * kTileHeight,
                  .depth = scratch.depth.data(),
                  .ids = scratch.tileIds.data()};
        tile.width = std::min(kTileWidth, geometry_.width - tile.left);
        tile.height = std::min(kTileHeight, geometry_.height - tile.top);
        bins_.collect(index, scratch.ids);
        if (scratch.ids.empty()) return clearTile(tile);
        std::fill_n(tile.depth, kTileElements, kFar);
        std::fill_n(tile.ids, kTileElements, kNoTriangle);
        if (!previousDepths_.empty()) tile.minDepth = fillMinDepth(tile, scratch);
        kernels_.draw(geometry_, scratch.ids.data(), scratch.ids.size(), tile);
        if (options_.wantBarycentric) {
            const std::size_t first = pixelIndex(tile, 0);
            kernels_.resolve(geometry_, tile, image_.facePlusOne.data() + first,
                             &image_.barycentric[first].x);
            if (!snapped_.clippedTriangles.empty()) resolvePieces(tile);
        } else {
            resolveFaces(tile);
        }
        if (options_.wantDepth) copyDepth(tile);
    }

    void clearTile(const Tile& tile) {
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const std::size_t first = pixelIndex(tile, y);
            std::fill_n(image_.facePlusOne.data() + first, tile.width, 0U);
            if (options_.wantBarycentric)
                std::fill_n(image_.barycentric.data() + first, tile.width, glm::vec3(0));
            if (options_.wantDepth)
                std::fill_n(image_.depth.data() + first, tile.width, static_cast<float>(kFar));
        }
    }

    const double* fillMinDepth(const Tile& tile, Scratch& scratch) const {
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const float* from = previousDepths_.data() + pixelIndex(tile, y);
            double* to = scratch.minDepth.data() + y * kTileStride;
            for (std::int32_t x = 0; x < tile.width; ++x)
                to[x] = minDepth(from[x], options_.peeling.minGap);
        }
        return scratch.minDepth.data();
    }

    void resolveFaces(const Tile& tile) {
        static_assert(kNoTriangle + 1 == 0);
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const TriangleId* ids = tile.ids + y * kTileStride;
            std::uint32_t* face = image_.facePlusOne.data() + pixelIndex(tile, y);
            for (std::int32_t x = 0; x < tile.width; ++x) face[x] = ids[x] + 1;
            if (snapped_.clippedTriangles.empty()) continue;
            for (std::int32_t x = 0; x < tile.width; ++x)
                if (ids[x] != kNoTriangle) face[x] = snapped_.faceOf(ids[x]) + 1;
        }
    }

    void resolvePieces(const Tile& tile) {
        for (std::int32_t y = 0; y < tile.height; ++y) {
            const std::size_t row = pixelIndex(tile, y);
            for (std::int32_t x = 0; x < tile.width; ++x) {
                const TriangleId id = tile.ids[y * kTileStride + x];
                if (id == kNoTriangle || (id & kClippedFlag) == 0) continue;
                const std::size_t pixel = row + static_cast<std::size_t>(x);
                image_.facePlusOne[pixel] = snapped_.faceOf(id) + 1;
                image_.barycentric[pixel] = barycentricAt(snapped_, id, pixelCentre(tile.left + x),
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

    const SnappedView& snapped_;
    const TileKernels& kernels_;
    const RasterOptions& options_;
    std::span<const float> previousDepths_;
    RasterImage& image_;
    TileGeometry geometry_;
    Bins bins_;
    std::vector<std::unique_ptr<Scratch>> scratch_;
};

}  // namespace

TileGeometry tileGeometryOf(const SnappedView& snapped) {
    return {static_cast<std::int32_t>(snapped.width), static_cast<std::int32_t>(snapped.height),
            snapped.vertices.get(), &snapped.faces->front().x, snapped.clippedTriangles.data()};
}

void drawTiles(const SnappedView& snapped, const TileKernels& kernels, int threads,
               const RasterOptions& options, std::span<const float> previousDepths,
               RasterImage& image) {
    TileDrawing(snapped, kernels, threads, options, previousDepths, image);
}

}  // namespace threefold::raster
