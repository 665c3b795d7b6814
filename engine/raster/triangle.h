#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/raster/depth_order.h"
#include "engine/raster/snapped_view.h"

namespace threefold::raster {

// Arithmetic of coverage and depth. Every tier reproduces these functions bit for bit.

/// Edge function: twice the signed area of (a, b, (x, y)), in steps². Exact.
constexpr std::int64_t edgeFunction(const ScreenVertex& a, const ScreenVertex& b, std::int64_t x,
                                    std::int64_t y) {
    return (std::int64_t{b.x} - a.x) * (y - a.y) - (std::int64_t{b.y} - a.y) * (x - a.x);
}

constexpr std::int64_t doubledArea(const ScreenVertex& a, const ScreenVertex& b,
                                   const ScreenVertex& c) {
    return edgeFunction(a, b, c.x, c.y);
}

/// Whether a → b is a left edge (y falls) or a top edge, so that points on it belong to the
/// triangle. Requires a positive doubled area: then edge functions are positive inside.
inline bool isTopLeft(const ScreenVertex& a, const ScreenVertex& b) {
    return b.y < a.y || (b.y == a.y && b.x > a.x);
}

/// Bounding box of pixels whose centres may be covered, both ends included.
struct PixelBox {
    std::int32_t left;
    std::int32_t top;
    std::int32_t right;
    std::int32_t bottom;
    bool empty() const { return right < left || bottom < top; }
};

inline PixelBox pixelBox(const ScreenVertex* const (&v)[3], std::uint32_t width,
                         std::uint32_t height) {
    const auto [x0, x1] = std::minmax({v[0]->x, v[1]->x, v[2]->x});
    const auto [y0, y1] = std::minmax({v[0]->y, v[1]->y, v[2]->y});
    return {std::max((x0 + kHalfPixel - 1) >> kGridShift, 0),
            std::max((y0 + kHalfPixel - 1) >> kGridShift, 0),
            std::min((x1 - kHalfPixel) >> kGridShift, static_cast<std::int32_t>(width) - 1),
            std::min((y1 - kHalfPixel) >> kGridShift, static_cast<std::int32_t>(height) - 1)};
}

/// Triangle prepared for point queries. The corners must outlive the triangle.
class Triangle {
  public:
    /// `area`: doubled area of the corners, not 0.
    Triangle(const ScreenVertex* const (&v)[3], std::int64_t area)
        : v_{v[0], v[1], v[2]},
          sign_(area < 0 ? -1 : 1),
          slope1_((v[1]->depth - v[0]->depth) / static_cast<double>(area * sign_)),
          slope2_((v[2]->depth - v[0]->depth) / static_cast<double>(area * sign_)) {
        for (int i = 0; i < 3; ++i) {
            const ScreenVertex& a = *v_[(i + 1) % 3];
            const ScreenVertex& b = *v_[(i + 2) % 3];
            minEdge_[i] = (sign_ > 0 ? isTopLeft(a, b) : isTopLeft(b, a)) ? 0 : 1;
        }
    }

    /// Whether the point, in steps, is covered. Sets `edge` to the edge function opposite each
    /// corner, positive inside.
    bool covers(std::int64_t x, std::int64_t y, std::int64_t (&edge)[3]) const {
        for (int i = 0; i < 3; ++i)
            edge[i] = sign_ * edgeFunction(*v_[(i + 1) % 3], *v_[(i + 2) % 3], x, y);
        return edge[0] >= minEdge_[0] && edge[1] >= minEdge_[1] && edge[2] >= minEdge_[2];
    }

    /// Rounded depth; if another triangle's depth differs by at most depthTolerance(), isNearer()
    /// decides.
    double depth(const std::int64_t (&edge)[3]) const {
        return v_[0]->depth +
               (static_cast<double>(edge[1]) * slope1_ + static_cast<double>(edge[2]) * slope2_);
    }

    /// Tolerance of depth(). To compare two triangles, use the larger of their tolerances, or more.
    double depthTolerance() const {
        return kDepthTolerance *
               std::max({std::abs(v_[0]->depth), std::abs(v_[1]->depth), std::abs(v_[2]->depth)});
    }

    /// Exact depth test at a point that both triangles cover.
    bool isNearer(const ScreenVertex* const (&than)[3], std::int64_t x, std::int64_t y) const {
        return raster::isNearer(v_, than, x, y) == Nearer::yes;
    }

  private:
    const ScreenVertex* v_[3];
    std::int64_t sign_;
    std::int64_t minEdge_[3];
    double slope1_;
    double slope2_;
};

/// Perspective-correct weights of a triangle's corners at a covered point, in steps.
inline glm::dvec3 cornerWeights(const ScreenVertex* const (&v)[3], std::int64_t x, std::int64_t y) {
    const glm::dvec3 weight(static_cast<double>(edgeFunction(*v[1], *v[2], x, y)) * v[0]->inverseW,
                            static_cast<double>(edgeFunction(*v[2], *v[0], x, y)) * v[1]->inverseW,
                            static_cast<double>(edgeFunction(*v[0], *v[1], x, y)) * v[2]->inverseW);
    return weight * (1 / (weight.x + weight.y + weight.z));
}

/// Perspective-correct weights of the corners of the triangle's face.
inline glm::vec3 barycentricAt(const SnappedView& snapped, TriangleId id, std::int64_t x,
                               std::int64_t y) {
    const ScreenVertex* v[3];
    snapped.corners(id, v);
    const glm::dvec3 weight = cornerWeights(v, x, y);
    if ((id & kClippedFlag) == 0) return weight;
    const ClippedTriangle& piece = snapped.clippedTriangles[id - kClippedFlag];
    return weight.x * piece.weight[0] + weight.y * piece.weight[1] + weight.z * piece.weight[2];
}

/// Centre of a pixel, in steps.
inline std::int64_t pixelCentre(std::int64_t pixel) {
    return pixel * kSubpixels + kHalfPixel;
}

/// Minimum depth that is drawn at a pixel.
inline double minDepth(float previousDepth, float minGap) {
    return static_cast<double>(previousDepth) + static_cast<double>(minGap);
}

}  // namespace threefold::raster
