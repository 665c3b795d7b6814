// The kernels in plain vector code, compiled once for each instruction set: the including file
// defines THREEFOLD_KERNELS (name of the table), THREEFOLD_KERNELS_NAME (its text),
// THREEFOLD_LANES (floats in a register) and THREEFOLD_TOGETHER (registers that sum one row).
// Nothing from the standard library is called here: a function instantiated in a file compiled for
// AVX-512 could be the copy that the linker keeps for everyone.

#include "engine/network/simd/kernels.h"

namespace threefold::simd {
namespace {

constexpr std::size_t kLanes = THREEFOLD_LANES;

// Number of sums kept in registers during the loop over a row's non-zeros; limited by the number of
// registers.
constexpr std::size_t kTogether = THREEFOLD_TOGETHER;

using Vec = float __attribute__((vector_size(4 * THREEFOLD_LANES)));
using Bits = std::uint32_t __attribute__((vector_size(4 * THREEFOLD_LANES)));
using HalfBits = std::uint16_t __attribute__((vector_size(2 * THREEFOLD_LANES)));

// memcpy, which every compiler turns into one unaligned move: Clang assumes that references to
// vectors are aligned, whatever their type says.
template <typename Vector = Vec>
inline Vector load(const void* from) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof(v));
    return v;
}

template <typename Vector>
inline void store(void* to, Vector v) {
    __builtin_memcpy(to, &v, sizeof(v));
}

void pool(const Corners* corners, std::size_t views, std::size_t channels, float* maximum,
          float* mean, float* deviation) {
    const float share = 1.0F / static_cast<float>(views);
    for (std::size_t c = 0; c < channels; c += kLanes) {
        Vec sampled[8];  // METHOD.md: two to eight views
        Vec most{};
        Vec sum{};
        for (std::size_t v = 0; v < views; ++v) {
            const Corners& k = corners[v];
            const Vec f = load(k.corner[0] + c) * k.weight[0] +
                          load(k.corner[1] + c) * k.weight[1] +
                          load(k.corner[2] + c) * k.weight[2] + load(k.corner[3] + c) * k.weight[3];
            sampled[v] = f;
            most = v == 0 ? f : (f > most ? f : most);
            sum += f;
        }
        const Vec average = sum * share;
        Vec variance{};
        for (std::size_t v = 0; v < views; ++v) {
            const Vec d = sampled[v] - average;
            variance += d * d;
        }
        variance = variance * share + 1e-6F;
        for (std::size_t i = 0; i < kLanes; ++i) variance[i] = __builtin_sqrtf(variance[i]);
        store(maximum + c, most);
        store(mean + c, average);
        store(deviation + c, variance);
    }
}

// Sums `Vectors` vectors of a row together, so that the sums stay in registers.
template <std::size_t Vectors>
inline void sumRow(const SparseRows& matrix, std::size_t row, const float* x, std::size_t xStride,
                   Vec* sum) {
    const std::uint32_t end = matrix.rowStart[row + 1];
    for (std::uint32_t k = matrix.rowStart[row]; k < end; ++k) {
        const float value = matrix.value[k];
        const float* from = x + matrix.column[k] * xStride;
        for (std::size_t i = 0; i < Vectors; ++i) sum[i] += value * load(from + i * kLanes);
    }
}

template <std::size_t Vectors>
inline void laplacianColumns(const SparseRows& matrix, std::size_t first, std::size_t last,
                             const float* x, std::size_t xStride, float* out,
                             std::size_t outStride) {
    for (std::size_t row = first; row < last; ++row) {
        Vec sum[Vectors] = {};
        sumRow<Vectors>(matrix, row, x, xStride, sum);
        float* to = out + (row - first) * outStride;
        for (std::size_t i = 0; i < Vectors; ++i) store(to + i * kLanes, sum[i]);
    }
}

void laplacian(const SparseRows& matrix, std::size_t first, std::size_t last, const float* x,
               std::size_t xStride, std::size_t width, float* out, std::size_t outStride) {
    std::size_t c = 0;
    for (; c + kTogether * kLanes <= width; c += kTogether * kLanes) {
        laplacianColumns<kTogether>(matrix, first, last, x + c, xStride, out + c, outStride);
    }
    for (; c < width; c += kLanes) {
        laplacianColumns<1>(matrix, first, last, x + c, xStride, out + c, outStride);
    }
}

template <std::size_t Vectors>
inline void joinColumns(const SparseRows& matrix, std::size_t first, std::size_t last,
                        const float* y, std::size_t width, const float* bias, float* out) {
    for (std::size_t row = first; row < last; ++row) {
        Vec sum[Vectors];
        const float* own = y + row * 2 * width;
        for (std::size_t i = 0; i < Vectors; ++i) {
            sum[i] = load(own + i * kLanes) + load(bias + i * kLanes);
        }
        sumRow<Vectors>(matrix, row, y + width, 2 * width, sum);
        float* to = out + (row - first) * width;
        for (std::size_t i = 0; i < Vectors; ++i) {
            store(to + i * kLanes, sum[i] > 0.0F ? sum[i] : Vec{});
        }
    }
}

void join(const SparseRows& matrix, std::size_t first, std::size_t last, const float* y,
          std::size_t width, const float* bias, float* out) {
    std::size_t c = 0;
    for (; c + kTogether * kLanes <= width; c += kTogether * kLanes) {
        joinColumns<kTogether>(matrix, first, last, y + c, width, bias + c, out + c);
    }
    for (; c < width; c += kLanes) {
        joinColumns<1>(matrix, first, last, y + c, width, bias + c, out + c);
    }
}

void average(float* x, const float* y, float factor, std::size_t count) {
    for (std::size_t i = 0; i < count; i += kLanes)
        store(x + i, factor * (load(x + i) + load(y + i)));
}

void toBfloat16(const float* x, std::size_t count, std::uint16_t* out) {
    for (std::size_t i = 0; i < count; i += kLanes) {
        const Bits bits = load<Bits>(x + i);
        const Bits rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
        // Rounding could carry a NaN's payload into infinity.
        const Bits quiet = (bits >> 16) | 0x40U;
        const Bits isNan = (bits & 0x7FFFFFFFU) > Bits{} + 0x7F800000U ? Bits{} + 1U : Bits{};
        const Bits result = isNan * quiet + (1U - isNan) * rounded;
        store(out + i, __builtin_convertvector(result, HalfBits));
    }
}

void twoDots(const float* x, std::size_t rows, std::size_t width, const float* weights,
             float* out) {
    for (std::size_t row = 0; row < rows; ++row) {
        Vec first{};
        Vec second{};
        const float* from = x + row * width;
        for (std::size_t c = 0; c < width; c += kLanes) {
            first += load(from + c) * load(weights + c);
            second += load(from + c) * load(weights + width + c);
        }
        float a = 0.0F;
        float b = 0.0F;
        for (std::size_t i = 0; i < kLanes; ++i) {
            a += first[i];
            b += second[i];
        }
        out[2 * row] = a;
        out[2 * row + 1] = b;
    }
}

}  // namespace

extern const Kernels THREEFOLD_KERNELS;
const Kernels THREEFOLD_KERNELS = {
    THREEFOLD_KERNELS_NAME, pool, laplacian, join, average, toBfloat16, twoDots,
};

}  // namespace threefold::simd
