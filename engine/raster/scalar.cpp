#include <algorithm>
#include <limits>
#include <vector>

#include "engine/error.h"
#include "engine/raster/draw.h"
#include "engine/raster/triangle.h"

namespace threefold::raster {
namespace {

void corners(const TileGeometry& geometry, TriangleId id, const ScreenVertex* (&v)[3]) {
    for (std::size_t i = 0; i < 3; ++i)
        v[i] = (id & kClippedFlag) != 0
                   ? &geometry.clippedTriangles[id - kClippedFlag].corner[i]
                   : &geometry.vertices[geometry.faces[3 * std::size_t{id} + i]];
}

std::size_t boxes(const TileGeometry& geometry, std::size_t first, std::size_t count,
                  TileBox* boxes) {
    return portable::kTileKernels.boxes(geometry, first, count, boxes);
}

/// Exact test whether a triangle that covers the pixel is nearer than the one drawn there.
bool isNearer(const TileGeometry& geometry, const Triangle& triangle, double depth,
              double depthTolerance, std::int32_t x, std::int32_t y, const Tile& tile) {
    const std::ptrdiff_t pixel = tile.offset(x, y);
    const double before = tile.depth[pixel];
    if (depth < before - depthTolerance) return true;
    if (depth > before + depthTolerance) return false;
    const ScreenVertex* v[3];
    corners(geometry, tile.ids[pixel], v);
    return triangle.isNearer(v, pixelCentre(x), pixelCentre(y));
}

/// Draws one triangle; `depthTolerance`: maximum Triangle::depthTolerance() so far, updated.
void drawTriangle(const TileGeometry& geometry, const ScreenVertex* const (&v)[3], TriangleId id,
                  double& depthTolerance, const Tile& tile) {
    PixelBox box = pixelBox(v, static_cast<std::uint32_t>(tile.left + tile.width),
                            static_cast<std::uint32_t>(tile.top + tile.height));
    box.left = std::max(box.left, tile.left);
    box.top = std::max(box.top, tile.top);
    if (box.empty()) return;
    const Triangle triangle(v, doubledArea(*v[0], *v[1], *v[2]));
    depthTolerance = std::max(depthTolerance, triangle.depthTolerance());
    for (std::int32_t y = box.top; y <= box.bottom; ++y) {
        for (std::int32_t x = box.left; x <= box.right; ++x) {
            std::int64_t edge[3];
            if (!triangle.covers(pixelCentre(x), pixelCentre(y), edge)) continue;
            const double depth = triangle.depth(edge);
            const std::ptrdiff_t pixel = tile.offset(x, y);
            if (tile.minDepth != nullptr && depth < tile.minDepth[pixel]) continue;
            if (!isNearer(geometry, triangle, depth, depthTolerance, x, y, tile)) continue;
            tile.depth[pixel] = depth;
            tile.ids[pixel] = id;
        }
    }
}

void draw(const TileGeometry& geometry, const TriangleId* ids, std::size_t count,
          const Tile& tile) {
    double depthTolerance = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const ScreenVertex* v[3];
        corners(geometry, ids[i], v);
        drawTriangle(geometry, v, ids[i], depthTolerance, tile);
    }
}

void resolve(const TileGeometry& geometry, const Tile& tile, std::uint32_t* face,
             float* barycentric) {
    for (std::int32_t y = 0; y < tile.height; ++y) {
        for (std::int32_t x = 0; x < tile.width; ++x) {
            const TriangleId id = tile.ids[y * kTileStride + x];
            const std::size_t pixel =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(geometry.width) +
                static_cast<std::size_t>(x);
            face[pixel] = id + 1;  // kNoTriangle becomes 0
            glm::vec3 weight(0);
            if (id != kNoTriangle) {
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

void drawBasic(const SnappedView& snapped, const RasterOptions& options,
               std::span<const float> previousDepths, RasterImage& image) {
    const std::size_t pixels = std::size_t{snapped.width} * snapped.height;
    std::vector<double> depths(pixels, std::numeric_limits<double>::infinity());
    std::vector<TriangleId> ids(pixels, kNoTriangle);
    std::vector<double> minDepths;
    for (const float depth : previousDepths)
        minDepths.push_back(minDepth(depth, options.peeling.minGap));
    const TileGeometry geometry = tileGeometryOf(snapped);
    const Tile tile{.width = geometry.width,
                    .height = geometry.height,
                    .depth = depths.data(),
                    .ids = ids.data(),
                    .minDepth = previousDepths.empty() ? nullptr : minDepths.data(),
                    .stride = geometry.width};
    image.degenerateFaceCount = snapped.degenerateClippedFaceCount;
    double depthTolerance = 0;
    std::size_t piece = 0;
    constexpr std::uint32_t kFacesPerCancelCheck = 4096;
    for (std::uint32_t f = 0; f < snapped.faces->size(); ++f) {
        if (f % kFacesPerCancelCheck == 0 && options.cancel.stop_requested()) throw Cancelled();
        const ScreenVertex* v[3];
        snapped.corners(f, v);
        if (v[0]->x == kNeedsClipping || v[1]->x == kNeedsClipping || v[2]->x == kNeedsClipping) {
            for (; piece < snapped.clippedTriangles.size() &&
                   snapped.clippedTriangles[piece].face == f;
                 ++piece) {
                const auto id = kClippedFlag + static_cast<TriangleId>(piece);
                snapped.corners(id, v);
                drawTriangle(geometry, v, id, depthTolerance, tile);
            }
        } else if (doubledArea(*v[0], *v[1], *v[2]) == 0) {
            ++image.degenerateFaceCount;
        } else {
            drawTriangle(geometry, v, f, depthTolerance, tile);
        }
    }
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const TriangleId id = ids[pixel];
        image.facePlusOne[pixel] = id == kNoTriangle ? 0 : snapped.faceOf(id) + 1;
        if (!options.wantBarycentric) continue;
        image.barycentric[pixel] =
            id == kNoTriangle
                ? glm::vec3(0)
                : barycentricAt(snapped, id,
                                pixelCentre(static_cast<std::int64_t>(pixel % snapped.width)),
                                pixelCentre(static_cast<std::int64_t>(pixel / snapped.width)));
    }
    if (options.wantDepth) image.depth.assign(depths.begin(), depths.end());
}

}  // namespace threefold::raster
