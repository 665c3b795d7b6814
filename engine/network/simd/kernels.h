#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace threefold::simd {

/// What one map contributes to one point in one view: Σ weight[k] · corner[k][channel].
struct Corners {
    const float* corner[4];
    float weight[4];
};

/// Compressed rows of a sparse matrix, as engine/model's SparseMatrix holds them.
struct SparseRows {
    const std::uint32_t* rowStart;
    const std::uint32_t* column;
    const float* value;
};

/// The inner loops of the method that no library provides, for one instruction set; kernels.inl is
/// compiled once for each. The portable build is the reference for the others.
/// All pointers are to float32 unless said otherwise, need no alignment, and must not overlap.
/// Widths are multiples of 16. Thread-safe.
struct Kernels {
    std::string_view name;

    /// METHOD.md §5 for one point and one map: maximum, mean and deviation over `views` of the
    /// weighted corners; `channels` values go to each of the three outputs.
    void (*pool)(const Corners* corners, std::size_t views, std::size_t channels, float* maximum,
                 float* mean, float* deviation);

    /// out[r] = Σ_c L[r,c] · x[c] for rows first ≤ r < last; row r of `out` is written at
    /// (r − first) · outStride.
    void (*laplacian)(const SparseRows& matrix, std::size_t first, std::size_t last, const float* x,
                      std::size_t xStride, std::size_t width, float* out, std::size_t outStride);

    /// out[r] = max(0, y[r, 0…width) + Σ_c L[r,c] · y[c, width…2·width) + bias): the last
    /// step of a graph convolution, after one product for both supports. y has rows of 2·width.
    void (*join)(const SparseRows& matrix, std::size_t first, std::size_t last, const float* y,
                 std::size_t width, const float* bias, float* out);

    /// x ← factor · (x + y), `count` values.
    void (*average)(float* x, const float* y, float factor, std::size_t count);

    /// Round to nearest even, NaN stays NaN.
    void (*toBfloat16)(const float* x, std::size_t count, std::uint16_t* out);

    /// out[2r], out[2r + 1] = x[r] · weights[0…width), x[r] · weights[width…2·width).
    void (*twoDots)(const float* x, std::size_t rows, std::size_t width, const float* weights,
                    float* out);
};

/// The implementations that this processor can run, fastest first; the last is "portable".
std::span<const Kernels* const> availableKernels();

}  // namespace threefold::simd
