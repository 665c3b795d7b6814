#include "engine/raster/tiers.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/error.h"
#include "engine/raster/triangle.h"

namespace threefold::raster {
namespace {

struct Target {
    const Screen& screen;
    std::span<const float> prior;
    float truncation;
    std::vector<double> depth;
    std::vector<TriangleId> seen;
    double doubt = 0;  ///< largest of the triangles drawn so far
};

/// Whether a triangle that covers the pixel is nearer than the one drawn there; exact.
bool isNearer(const Triangle& triangle, double depth, std::int32_t x, std::int32_t y,
              std::size_t pixel, const Target& target) {
    const double before = target.depth[pixel];
    if (depth < before - target.doubt) return true;
    if (depth > before + target.doubt) return false;
    const ScreenVertex* v[3];
    target.screen.corners(target.seen[pixel], v);
    return triangle.isNearer(v, pixelCentre(x), pixelCentre(y));
}

void drawTriangle(TriangleId id, const ScreenVertex* const (&v)[3], std::int64_t area,
                  Target& target) {
    const PixelBox box = pixelBox(v, target.screen.width, target.screen.height);
    if (box.empty()) return;
    const Triangle triangle(v, area);
    target.doubt = std::max(target.doubt, triangle.doubt());
    for (std::int32_t y = box.top; y <= box.bottom; ++y) {
        const std::size_t row = static_cast<std::size_t>(y) * target.screen.width;
        for (std::int32_t x = box.left; x <= box.right; ++x) {
            std::int64_t edge[3];
            if (!triangle.covers(pixelCentre(x), pixelCentre(y), edge)) continue;
            const double depth = triangle.depth(edge);
            const std::size_t pixel = row + static_cast<std::size_t>(x);
            if (!target.prior.empty() &&
                depth < leastDepth(target.prior[pixel], target.truncation)) {
                continue;
            }
            if (!isNearer(triangle, depth, x, y, pixel, target)) continue;
            target.depth[pixel] = depth;
            target.seen[pixel] = id;
        }
    }
}

void drawFaces(Target& target, RasterImage& image, const std::stop_token& cancel) {
    const Screen& screen = target.screen;
    std::size_t piece = 0;
    constexpr std::uint32_t kFacesBetweenLooks = 4096;
    for (std::uint32_t f = 0; f < screen.faces->size(); ++f) {
        if (f % kFacesBetweenLooks == 0 && cancel.stop_requested()) throw Cancelled();
        const ScreenVertex* v[3];
        screen.corners(f, v);
        if (v[0]->x == kMustBeCut || v[1]->x == kMustBeCut || v[2]->x == kMustBeCut) {
            for (; piece < screen.pieces.size() && screen.pieces[piece].face == f; ++piece) {
                const auto id = kPiece + static_cast<TriangleId>(piece);
                screen.corners(id, v);
                drawTriangle(id, v, doubledArea(*v[0], *v[1], *v[2]), target);
            }
            continue;
        }
        const std::int64_t area = doubledArea(*v[0], *v[1], *v[2]);
        if (area == 0) {
            ++image.degenerate;
        } else {
            drawTriangle(f, v, area, target);
        }
    }
}

}  // namespace

void drawBasic(const Screen& screen, const RasterOptions& options, std::span<const float> prior,
               RasterImage& image) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    const std::size_t pixels = std::size_t{screen.width} * screen.height;
    Target target{screen, prior, options.occlusionTruncation, std::vector<double>(pixels, kFar),
                  std::vector<TriangleId>(pixels, kNothing)};
    image.degenerate = screen.degenerateCut;
    drawFaces(target, image, options.cancel);
    std::size_t pixel = 0;
    for (std::uint32_t y = 0; y < screen.height; ++y) {
        for (std::uint32_t x = 0; x < screen.width; ++x, ++pixel) {
            const TriangleId id = target.seen[pixel];
            const bool seen = id != kNothing;
            image.face[pixel] = seen ? screen.faceOf(id) + 1 : 0;
            image.barycentric[pixel] =
                seen ? barycentricAt(screen, id, pixelCentre(x), pixelCentre(y)) : glm::vec3(0);
        }
    }
    if (options.wantDepth) image.depth.assign(target.depth.begin(), target.depth.end());
}

}  // namespace threefold::raster
