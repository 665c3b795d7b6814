#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// Pixels that the kernels take at once at most: rows begin and end at multiples of it.
inline constexpr std::size_t kSweepLanes = 16;
/// Labels of a pixel are padded to a multiple of this.
inline constexpr std::size_t kLabelLanes = 32;
/// Window sums of each column: pixels, reference, source, and their products.
inline constexpr std::size_t kWindowSums = 6;

/// A source photograph of `side`² pixels, two neighbours in each word: the pixel itself in the low
/// half, the one right of it in the high half. A half is 2 · round(128 · grey) + (1 in the mask).
struct PackedPicture {
    const std::uint32_t* pairs;
    int side;
};

/// A row of the reference view at given depths, seen from a source view.
struct WarpedRow {
    const float* depth;  ///< of each pixel; 0: none
    const float* right;  ///< three homogeneous coordinates of the ray through each pixel, times
    const float* down;   ///< the source's projection: pixel = depth · ray + offset
    const float* forward;
    float offset[3];
    float* grey;        ///< out: the source's grey − 128; 0 where it does not show the point
    float* shown;       ///< out: 1 where the source shows the point in its mask, else 0
    float* beside;      ///< in and out: 1 where a source shows the point beside its mask
    std::size_t begin;  ///< pixels, multiples of kSweepLanes
    std::size_t end;
};

/// The two best scores of each pixel over the sources so far.
struct BestScores {
    float* best;
    float* second;
};

/// Inner loops of the plane sweep and of the aggregation for one instruction set;
/// sweep_kernels.inl is compiled once for each. All compute the same bits.
struct SweepKernels {
    std::string_view name;

    void (*warp)(const PackedPicture& source, const WarpedRow& row);

    /// Adds a row of pixels to the columns' sums, or takes it away (`sign` −1). sums[i]: of
    /// kWindowSums; reference and grey are −128 based.
    void (*addRow)(float* const* sums, const float* reference, const float* grey,
                   const float* shown, float sign, std::size_t begin, std::size_t end);

    /// Normalised cross-correlation over windows of 2 · radius + 1 columns of these sums, where
    /// `shown` and at least `least` pixels of the window are: c / √((a + noise)(b + noise)).
    void (*score)(const float* const* sums, const float* shown, int radius, float least,
                  float noise, const BestScores& scores, std::size_t begin, std::size_t end);

    /// One step of a path of semi-global matching: `next` = cost + min(previous, previous ± a label
    /// + p1, least + p2) − least, added to `sum`; returns the least of `next`. `previous` and
    /// `next` have kLabelLanes values more before and after their `labels` (a multiple of
    /// kLabelLanes), which are large.
    std::int16_t (*step)(const std::int16_t* cost, const std::int16_t* previous, std::int16_t least,
                         std::int16_t p1, std::int16_t p2, std::int16_t* next, std::int16_t* sum,
                         std::size_t labels);
};

/// The implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(SweepKernels, availableSweepKernels)

}  // namespace threefold::simd
