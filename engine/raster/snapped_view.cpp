#include "engine/raster/snapped_view.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "engine/compute/parallel.h"
#include "engine/raster/depth_order.h"
#include "engine/raster/exact_depth.h"
#include "engine/raster/triangle.h"

namespace threefold::raster {
namespace {

constexpr double kGuardPixels = 1 << 15;
constexpr std::size_t kVerticesPerBlock = 8192;

struct Corner {
    glm::dvec4 clip;
    glm::dvec3 weight;
};

/// Clipped triangle: six planes leave at most nine corners.
struct Polygon {
    std::array<Corner, 9> corner;
    std::size_t size = 0;
    void add(const Corner& c) { corner[size++] = c; }
};

/// Half-space normal · clip ≥ offset.
struct Plane {
    glm::dvec4 normal;
    double offset;
    double distance(const glm::dvec4& p) const {
        return normal.x * p.x + normal.y * p.y + normal.z * p.z + normal.w * p.w - offset;
    }
};

/// Point of an edge on the plane. Independent of the order of corners, so two faces get the same
/// point on their common edge. A weighted sum of both corners, not a step from one, keeps precision
/// if the corners differ by many powers of ten.
Corner edgePoint(const Corner& inner, double innerDistance, const Corner& outer,
                 double outerDistance) {
    const double innerWeight = -outerDistance / (innerDistance - outerDistance);
    const double outerWeight = innerDistance / (innerDistance - outerDistance);
    return {innerWeight * inner.clip + outerWeight * outer.clip,
            innerWeight * inner.weight + outerWeight * outer.weight};
}

/// Moves a point back inside the planes after rounding, so that snapping cannot overflow.
glm::dvec4 clampedToGuard(glm::dvec4 clip, const glm::dvec2& guardBand) {
    clip.w = std::max<double>(clip.w, std::numeric_limits<float>::min());
    clip.x = std::clamp(clip.x, -guardBand.x * clip.w, guardBand.x * clip.w);
    clip.y = std::clamp(clip.y, -guardBand.y * clip.w, guardBand.y * clip.w);
    return clip;
}

Polygon clippedBy(const Plane& plane, const Polygon& polygon) {
    Polygon result;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        const Corner& a = polygon.corner[i];
        const Corner& b = polygon.corner[(i + 1) % polygon.size];
        const double da = plane.distance(a.clip);
        const double db = plane.distance(b.clip);
        if (da >= 0) result.add(a);
        if (da >= 0 && db < 0) result.add(edgePoint(a, da, b, db));
        if (da < 0 && db >= 0) result.add(edgePoint(b, db, a, da));
    }
    return result;
}

/// Whether all corners lie beyond one side of the image.
bool isOutsideImage(const glm::dvec4 (&corner)[3]) {
    bool left = true;
    bool right = true;
    bool above = true;
    bool below = true;
    for (const glm::dvec4& c : corner) {
        left &= c.x < -c.w;
        right &= c.x > c.w;
        above &= c.y < -c.w;
        below &= c.y > c.w;
    }
    return left || right || above || below;
}

/// Clips a face and appends its pieces, none if the face is invisible. True if pieces remain but
/// none has area.
bool clipFace(const glm::dvec4 (&corner)[3], std::uint32_t face, const ScreenProjection& projection,
              std::vector<ClippedTriangle>& pieces) {
    if (isOutsideImage(corner)) return false;
    Polygon polygon;
    polygon.add({corner[0], {1, 0, 0}});
    polygon.add({corner[1], {0, 1, 0}});
    polygon.add({corner[2], {0, 0, 1}});
    const glm::dvec2 guardBand = projection.guardBand;
    const Plane planes[] = {
        {{0, 0, 1, -projection.nearDepth}, 0}, {{0, 0, 0, 1}, std::numeric_limits<float>::min()},
        {{1, 0, 0, guardBand.x}, 0},           {{-1, 0, 0, guardBand.x}, 0},
        {{0, 1, 0, guardBand.y}, 0},           {{0, -1, 0, guardBand.y}, 0}};
    for (const Plane& plane : planes) {
        polygon = clippedBy(plane, polygon);
        if (polygon.size < 3) return false;
    }
    std::array<ScreenVertex, 9> snapped;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        snapped[i] = projection.snap(clampedToGuard(polygon.corner[i].clip, guardBand));
        // Only the depth of a clipped corner can be this close to 0.
        if (std::abs(snapped[i].depth) < kMinDepthMagnitude) snapped[i].depth = 0;
    }
    bool degenerate = true;
    for (std::size_t i = 1; i + 1 < polygon.size; ++i) {
        if (doubledArea(snapped[0], snapped[i], snapped[i + 1]) == 0) continue;
        degenerate = false;
        pieces.push_back(
            {{snapped[0], snapped[i], snapped[i + 1]},
             {polygon.corner[0].weight, polygon.corner[i].weight, polygon.corner[i + 1].weight},
             face});
    }
    return degenerate;
}

void clipFaces(std::span<const glm::vec4> clip, const ScreenProjection& projection,
               SnappedView& snapped) {
    const Faces& faces = *snapped.faces;
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
        const glm::u32vec3& face = faces[f];
        const ScreenVertex* vertices = snapped.vertices.get();
        if (vertices[face.x].x != kNeedsClipping && vertices[face.y].x != kNeedsClipping &&
            vertices[face.z].x != kNeedsClipping) {
            continue;
        }
        const glm::dvec4 corner[3] = {clip[face.x], clip[face.y], clip[face.z]};
        if (clipFace(corner, f, projection, snapped.clippedTriangles))
            ++snapped.degenerateClippedFaceCount;
    }
}

}  // namespace

ScreenProjection::ScreenProjection(std::uint32_t imageWidth, std::uint32_t imageHeight,
                                   double nearest)
    : width(imageWidth),
      height(imageHeight),
      nearDepth(nearest),
      guardBand(2 * kGuardPixels / width, 2 * kGuardPixels / height),
      steps(width * double{kSubpixels}, height * double{kSubpixels}) {}

bool ScreenProjection::isInside(const glm::dvec4& clip) const {
    // Evaluates all four conditions without branches, as the first one alone rarely decides.
    const int inFront = clip.w >= std::numeric_limits<float>::min() ? 1 : 0;
    const int beyondNear = clip.z >= nearDepth * clip.w ? 1 : 0;
    const int across = std::abs(clip.x) <= guardBand.x * clip.w ? 1 : 0;
    const int along = std::abs(clip.y) <= guardBand.y * clip.w ? 1 : 0;
    return (inFront & beyondNear & across & along) != 0;
}

ScreenVertex ScreenProjection::snap(const glm::dvec4& clip) const {
    const double inverseW = 1 / clip.w;
    const double x = (clip.x * inverseW * 0.5 + 0.5) * steps.x;
    const double y = (clip.y * inverseW * 0.5 + 0.5) * steps.y;
    return {static_cast<std::int32_t>(std::lrint(x)), static_cast<std::int32_t>(std::lrint(y)),
            clip.z * inverseW, inverseW};
}

std::size_t SnappedView::firstClippedTriangle(std::uint32_t face) const {
    const auto match = std::ranges::lower_bound(clippedTriangles, face, {}, &ClippedTriangle::face);
    return static_cast<std::size_t>(match - clippedTriangles.begin());
}

SnappedView snapView(std::span<const glm::vec4> clip, const Faces& faces,
                     const ScreenProjection& projection, int threads) {
    SnappedView snapped;
    snapped.width = projection.width;
    snapped.height = projection.height;
    snapped.vertexCount = clip.size();
    snapped.vertices = std::make_unique_for_overwrite<ScreenVertex[]>(clip.size());
    snapped.faces = &faces;
    std::atomic<bool> mustCut = false;
    const std::size_t blocks = (clip.size() + kVerticesPerBlock - 1) / kVerticesPerBlock;
    const int useThreads = static_cast<int>(std::min(blocks, static_cast<std::size_t>(threads)));
    parallelFor(useThreads, blocks, {}, [&](std::size_t block, std::size_t) {
        const std::size_t end = std::min(clip.size(), (block + 1) * kVerticesPerBlock);
        bool outside = false;
        for (std::size_t i = block * kVerticesPerBlock; i < end; ++i) {
            const glm::dvec4 point(clip[i]);
            const bool inside = projection.isInside(point);
            snapped.vertices[i] = inside ? projection.snap(point)
                                         : ScreenVertex{kNeedsClipping, kNeedsClipping, 0, 1};
            outside |= !inside;
        }
        if (outside) mustCut = true;
    });
    if (mustCut) clipFaces(clip, projection, snapped);
    return snapped;
}

Nearer isNearer(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3],
                std::int64_t x, std::int64_t y) {
    if (areBothFlat(a, b) || haveSameCorners(a, b)) return Nearer::nowhere;
    return compareDepths(a, b, x, y) < 0 ? Nearer::yes : Nearer::no;
}

}  // namespace threefold::raster
