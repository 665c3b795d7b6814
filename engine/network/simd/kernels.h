#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/compute/variants.h"

namespace threefold::simd {

/// Maximum number of views that the kernels pool.
inline constexpr std::size_t kMaxPooledViews = 8;

/// Four pixels of a feature map (float32 or bfloat16) and their bilinear weights, for one point in
/// one view. The sample is Σ weight[k] · texel[k][channel].
template <class Value>
struct CornersOf {
    const Value* texel[4];
    float weight[4];
};
using Corners = CornersOf<float>;
using Bfloat16Corners = CornersOf<std::uint16_t>;

/// Compressed sparse rows (CSR), as in engine/model's SparseMatrix.
struct SparseRows {
    const std::uint32_t* rowOffsets;
    const std::uint32_t* columns;
    const float* values;
};

/// Last step of a graph convolution, after the product with [W0 | W1], for rows first ≤ r < last.
/// Row r is at index r − first in residual, float32Out and the output, and in bias unless
/// biasStride is 0. Computes
///
///     out[r] = max(0, products[r, 0…width) + Σ_c L[r,c] · products[c, width…2·width) + bias[r]) +
///     residual[r]
struct GraphEpilogue {
    SparseRows matrix;
    std::size_t first;
    std::size_t last;
    const float* products;  ///< rows of 2 · width values
    std::size_t width;
    const float* bias;
    /// Values from one row's bias to the next; 0: one bias for all rows.
    std::size_t biasStride = 0;
    const float* residual = nullptr;  ///< null: none; may alias `float32Out` or the output
    float* float32Out = nullptr;      ///< null, or also receives the result, in float32
};

/// Inner loops of the method that no library provides, for one instruction set; kernels.inl is
/// compiled once per set. The portable build is the reference for the others. Pointers need no
/// alignment; their ranges must not overlap unless said otherwise. Widths, channels and counts are
/// multiples of 16. Thread-safe.
struct NetworkKernels {
    std::string_view name;

    /// Pools one map at one point (METHOD.md §5): maximum, mean and deviation over `views` of the
    /// weighted corners; `channels` values go to each of the three outputs.
    void (*pool)(const Corners* corners, std::size_t views, std::size_t channels, float* maximum,
                 float* mean, float* deviation);
    /// pool() for bfloat16 maps; rounds as toBfloat16() does.
    void (*poolBfloat16)(const Bfloat16Corners* corners, std::size_t views, std::size_t channels,
                         std::uint16_t* maximum, std::uint16_t* mean, std::uint16_t* deviation);
    /// pool() for bfloat16 maps, quantised: v · inverseScales rounded to the nearest of 0…255 (half
    /// up, NaN to 0). `inverseScales`: steps per unit of maximum, mean and deviation, `channels`
    /// values each.
    void (*poolUint8)(const Bfloat16Corners* corners, std::size_t views, std::size_t channels,
                      const float* const inverseScales[3], std::uint8_t* maximum,
                      std::uint8_t* mean, std::uint8_t* deviation);

    /// out[r] = Σ_c L[r,c] · x[c] for rows first ≤ r < last; row r of `out` is written at
    /// (r − first) · outStride.
    void (*laplacian)(const SparseRows& matrix, std::size_t first, std::size_t last, const float* x,
                      std::size_t xStride, std::size_t width, float* out, std::size_t outStride);

    /// See GraphEpilogue. epilogueBfloat16() rounds as toBfloat16() does, epilogueUint8() as
    /// poolUint8() does.
    void (*epilogue)(const GraphEpilogue& epilogue, float* out);
    void (*epilogueBfloat16)(const GraphEpilogue& epilogue, std::uint16_t* out);
    void (*epilogueUint8)(const GraphEpilogue& epilogue, float inverseScale, std::uint8_t* out);

    /// out[r] = offsetBias[r] + bias + rowSums[r] · slope. rowSums[r] is one number, every other
    /// operand a row of `width` values.
    void (*rowBias)(const float* offsetBias, std::size_t rows, std::size_t width, const float* bias,
                    const float* rowSums, const float* slope, float* out);

    /// x ← factor · (x + y), `count` values.
    void (*average)(float* x, const float* y, float factor, std::size_t count);

    /// Rounds to nearest even; NaN stays NaN.
    void (*toBfloat16)(const float* x, std::size_t count, std::uint16_t* out);

    /// out[2r], out[2r + 1] = x[r] · weights[0…width), x[r] · weights[width…2·width).
    void (*dotPairs)(const float* x, std::size_t rows, std::size_t width, const float* weights,
                     float* out);
};

/// Implementations that this processor can run, fastest first; the last is "portable".
THREEFOLD_VARIANTS(NetworkKernels, runnableNetworkKernels)

}  // namespace threefold::simd
