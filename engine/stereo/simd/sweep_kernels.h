#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// Maximum number of pixels that a kernel processes at once: rows begin and end at multiples of
/// this.
inline constexpr std::size_t kSweepLanes = 16;
/// The number of labels of a pixel is padded to a multiple of this.
inline constexpr std::size_t kLabelLanes = 32;
/// Number of sums of each column: pixels, reference, source, both squares, and the product.
inline constexpr std::size_t kWindowSums = 6;

/// A source photograph of `side`² pixels with two neighbours in each word: the pixel itself in the
/// low half, its right neighbour in the high half. A half is 2 · round(128 · grey), plus 1 inside
/// the mask dilated by one pixel.
struct PackedPicture {
    const std::uint32_t* pairs;
    int side;
};

/// A row of the reference view at given depths, as warped from a source view. `right`, `down` and
/// `forward`: homogeneous coordinates, in the source's pixels, of the ray through each pixel; the
/// source's pixel is depth · ray + offset. The mask is the one in PackedPicture.
struct WarpedRow {
    const float* depth;  ///< depth of each pixel; 0: none
    const float* right;
    const float* down;
    const float* forward;
    float offset[3];
    float* grey;     ///< out: grey of the source − 128; 0 where `visible` is 0
    float* visible;  ///< out: 1 where the source shows the point within its mask, else 0
    float*
        outsideMask;    ///< in and out: set to 1 where a source shows the point outside of its mask
    std::size_t begin;  ///< first and end pixel, multiples of kSweepLanes
    std::size_t end;
};

/// The two best scores of each pixel over the sources so far.
struct BestScores {
    float* best;
    float* second;
};

/// Inner loops of plane sweep and aggregation for one instruction set; sweep_kernels.inl is
/// compiled once for each. All variants compute the same bits.
struct SweepKernels {
    std::string_view name;

    void (*warpRow)(const PackedPicture& source, const WarpedRow& row);

    /// Adds a row of pixels to the column sums, or subtracts the row (`sign` −1). `sums`:
    /// kWindowSums rows; `reference`, `grey`: grey − 128.
    void (*addRow)(float* const* sums, const float* reference, const float* grey,
                   const float* visible, float sign, std::size_t begin, std::size_t end);

    /// Updates `scores` by the normalised cross-correlation c / √((a + noise)(b + noise)) of
    /// windows of 2 · radius + 1 columns, with covariance c and variances a and b, for visible
    /// pixels with at least `minPixels` visible pixels in the window.
    void (*updateScores)(const float* const* sums, const float* visible, int radius,
                         float minPixels, float noise, const BestScores& scores, std::size_t begin,
                         std::size_t end);

    /// Takes one step of a path of semi-global matching: `next` = cost + min(previous, previous of
    /// both neighbouring labels + p1, minimum + p2) − minimum; adds `next` to `sum`. Returns the
    /// minimum of `next`. `minimum`: the minimum of `previous`. `previous` and `next` have
    /// kLabelLanes large values before and after their `labelCount` values, a multiple of
    /// kLabelLanes.
    std::int16_t (*aggregatePathStep)(const std::int16_t* cost, const std::int16_t* previous,
                                      std::int16_t minimum, std::int16_t p1, std::int16_t p2,
                                      std::int16_t* next, std::int16_t* sum,
                                      std::size_t labelCount);
};

/// Implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(SweepKernels, runnableSweepKernels)

}  // namespace threefold::simd
