#pragma once

#include <cstdint>

#include "engine/raster/snapped_view.h"

/// Exact depth order of two triangles at a point: the one with the smaller exact depth (unrounded
/// depth of the plane through the snapped corners) is nearer. Where the rounded depths
/// (Triangle::depth()) are within kDepthTolerance of each other, isNearer() compares the exact
/// depths. isNearer() is only declared here, as tile_kernels.inl must not see inline functions.
namespace threefold::raster {

/// Relative tolerance for comparing computed depths of two triangles: a fraction of m, the largest
/// |depth| of their corners. A computed depth is exact to 10 · 2^-53 · m. The tolerance,
/// 32 · 2^-53, is three times as large, for the errors of both depths and the rounding of the
/// comparison. Depths that differ by more are in the right order.
inline constexpr double kDepthTolerance = 1.0 / (1LL << 48);

/// Minimum magnitude of a corner depth other than 0; the maximum is below 2^256. These two bounds
/// limit the length of integers that hold all depths, and keep computed depths from underflowing a
/// double.
inline constexpr double kMinDepthMagnitude = 0x1p-300;

/// Whether a triangle is nearer than another triangle at a point.
enum class Nearer {
    no,
    yes,
    nowhere,  ///< no, neither at this point nor at any other
};

/// Whether the triangle with corners `a` is nearer than the one with corners `b` at the grid point
/// (x, y), in steps, which both triangles cover. Exact.
Nearer isNearer(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3],
                std::int64_t x, std::int64_t y);

}  // namespace threefold::raster
