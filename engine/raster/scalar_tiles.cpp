#include "engine/raster/tile_kernels.h"
#include "engine/raster/triangle.h"

namespace threefold::raster {
namespace {

void corners(const Geometry& geometry, TriangleId id, const ScreenVertex* (&v)[3]) {
    for (std::size_t i = 0; i < 3; ++i) {
        v[i] = (id & kPiece) != 0 ? &geometry.pieces[id - kPiece].corner[i]
                                  : &geometry.vertices[geometry.faces[3 * std::size_t{id} + i]];
    }
}

std::size_t boxes(const Geometry& geometry, std::size_t first, std::size_t count, TileBox* boxes) {
    std::size_t degenerate = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const ScreenVertex* v[3];
        corners(geometry, static_cast<TriangleId>(first + i), v);
        boxes[i] = kNoTiles;
        if (v[0]->x == kMustBeCut || v[1]->x == kMustBeCut || v[2]->x == kMustBeCut) {
            boxes[i] = kToCut;
        } else if (doubledArea(*v[0], *v[1], *v[2]) == 0) {
            ++degenerate;
        } else {
            const PixelBox box = pixelBox(v, static_cast<std::uint32_t>(geometry.width),
                                          static_cast<std::uint32_t>(geometry.height));
            if (box.empty()) continue;
            boxes[i] = {static_cast<std::uint16_t>(box.left / kTileWidth),
                        static_cast<std::uint16_t>(box.top / kTileHeight),
                        static_cast<std::uint16_t>(box.right / kTileWidth),
                        static_cast<std::uint16_t>(box.bottom / kTileHeight)};
        }
    }
    return degenerate;
}

void drawTriangle(const ScreenVertex* const (&v)[3], TriangleId id, const Tile& tile) {
    PixelBox box = pixelBox(v, static_cast<std::uint32_t>(tile.left + tile.width),
                            static_cast<std::uint32_t>(tile.top + tile.height));
    box.left = std::max(box.left, tile.left);
    box.top = std::max(box.top, tile.top);
    if (box.empty()) return;
    const Triangle triangle(v, doubledArea(*v[0], *v[1], *v[2]));
    for (std::int32_t y = box.top; y <= box.bottom; ++y) {
        for (std::int32_t x = box.left; x <= box.right; ++x) {
            std::int64_t edge[3];
            if (!triangle.covers(pixelCentre(x), pixelCentre(y), edge)) continue;
            const double depth = triangle.depth(edge);
            const std::int32_t pixel = (y - tile.top) * kTileStride + (x - tile.left);
            if (!(depth < tile.depth[pixel])) continue;
            if (tile.least != nullptr && depth < tile.least[pixel]) continue;
            tile.depth[pixel] = depth;
            tile.seen[pixel] = id;
        }
    }
}

void draw(const Geometry& geometry, const TriangleId* ids, std::size_t count, const Tile& tile) {
    for (std::size_t i = 0; i < count; ++i) {
        const ScreenVertex* v[3];
        corners(geometry, ids[i], v);
        drawTriangle(v, ids[i], tile);
    }
}

void resolve(const Geometry& geometry, const Tile& tile, std::uint32_t* face, float* barycentric) {
    for (std::int32_t y = 0; y < tile.height; ++y) {
        for (std::int32_t x = 0; x < tile.width; ++x) {
            const TriangleId id = tile.seen[y * kTileStride + x];
            const std::size_t pixel =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(geometry.width) +
                static_cast<std::size_t>(x);
            face[pixel] = id + 1;  // nothing becomes 0
            glm::vec3 weight(0);
            if (id != kNothing) {
                const ScreenVertex* v[3];
                corners(geometry, id, v);
                weight = cornerWeights(v, pixelCentre(tile.left + x), pixelCentre(tile.top + y));
            }
            for (int i = 0; i < 3; ++i)
                barycentric[3 * pixel + static_cast<std::size_t>(i)] = weight[i];
        }
    }
}

}  // namespace

const TileKernels kScalarTiles{"scalar", boxes, draw, resolve};

}  // namespace threefold::raster
