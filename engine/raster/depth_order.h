#pragma once

#include <cstdint>

#include "engine/raster/screen.h"

namespace threefold::raster {

// Of two triangles at a point, the one with the smaller exact depth is nearer. The exact depth is
// that of the plane through the snapped corners, without rounding. Where the rounded depths that
// Triangle computes are too close, isNearer() decides. This header defines no function: see
// tile_kernels.inl.

/// Computed depths are exact to 9.1 · 2^-53 · m, m being the largest |depth| of the triangle's
/// corners: 8 for the products with the slopes (each rounded four times, together 2 m at most), 1
/// for the last sum. Where two triangles' depths differ by more than kDoubt · m, of the larger m,
/// their order is right; the rest of the 32 · 2^-53 covers rounding in that comparison.
inline constexpr double kDoubt = 1.0 / (1LL << 48);

/// Depths of corners are 0 or at least this in magnitude, and less than 2^256. This limits the
/// length of integers that hold all of them, and no computed depth is too small for a double.
inline constexpr double kLeastDepth = 0x1p-300;

/// Whether a point of a triangle is nearer than the same point of another.
enum class Nearer {
    no,
    yes,
    nowhere,  ///< no, and at no other point either
};

/// Whether the triangle with corners `a` is nearer than the one with corners `b` at (x, y), in
/// steps, which both cover. Exact.
Nearer isNearer(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3],
                std::int64_t x, std::int64_t y);

}  // namespace threefold::raster
