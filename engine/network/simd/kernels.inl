// The kernels in plain vector code, compiled once for each instruction set
// (engine/compute/variants.h).
#define THREEFOLD_LANES (THREEFOLD_REGISTER_BYTES / 4)  // floats

#include "engine/network/simd/kernels.h"

namespace threefold::simd {
namespace {

constexpr std::size_t kLanes = THREEFOLD_LANES;

// Number of sums kept in registers in the loop over a row's non-zeros.
constexpr std::size_t kSumVectors = THREEFOLD_LANES == 16 ? 12 : 8;

using Vec = float __attribute__((vector_size(4 * THREEFOLD_LANES)));
using Bits = std::uint32_t __attribute__((vector_size(4 * THREEFOLD_LANES)));
using Ints = std::int32_t __attribute__((vector_size(4 * THREEFOLD_LANES)));
using Bytes = std::uint8_t __attribute__((vector_size(THREEFOLD_LANES)));
using HalfBits = std::uint16_t __attribute__((vector_size(2 * THREEFOLD_LANES)));

// Compilers turn memcpy into one unaligned move. References to vectors would not do: Clang assumes
// that they are aligned, whatever their type says.
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

// Rounds to nearest even. NaN is truncated, as rounding could carry its payload into infinity.
inline void storeBfloat16(std::uint16_t* to, Vec v) {
    Bits bits;
    __builtin_memcpy(&bits, &v, sizeof(v));
    const Bits rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    const Bits quiet = (bits >> 16) | 0x40U;
    const Bits isNan = (bits & 0x7FFFFFFFU) > Bits{} + 0x7F800000U ? Bits{} + 1U : Bits{};
    const Bits result = isNan * quiet + (1U - isNan) * rounded;
    store(to, __builtin_convertvector(result, HalfBits));
}

// Rounds half up; NaN fails `steps > 0`, so it becomes 0.
inline void storeBytes(std::uint8_t* to, Vec steps) {
    steps = steps > 0.0F ? steps : Vec{};
    steps = steps < 255.0F ? steps : Vec{} + 255.0F;
    store(to, __builtin_convertvector(__builtin_convertvector(steps + 0.5F, Ints), Bytes));
}

// Outputs of a kernel. `index` counts values from the start of the output.

struct ToFloat {
    float* out;
    void operator()(std::size_t index, Vec v) const { store(out + index, v); }
};

struct ToBfloat16 {
    std::uint16_t* out;
    void operator()(std::size_t index, Vec v) const { storeBfloat16(out + index, v); }
};

struct ToBytes {
    float inverseScale;
    std::uint8_t* out;
    void operator()(std::size_t index, Vec v) const { storeBytes(out + index, v * inverseScale); }
};

struct ToScaledBytes {
    const float* inverseScales;
    std::uint8_t* out;
    void operator()(std::size_t index, Vec v) const {
        storeBytes(out + index, v * load(inverseScales + index));
    }
};

inline Vec sample(const float* from) {
    return load(from);
}

inline Vec sample(const std::uint16_t* from) {
    const Bits bits = __builtin_convertvector(load<HalfBits>(from), Bits) << 16;
    return load(&bits);
}

// The published number of views is a compile-time constant, so that loops over views unroll and
// samples stay in registers. 0: `given` views.
template <std::size_t kViewCount, class Value, class Out>
inline void poolViews(const CornersOf<Value>* corners, std::size_t given, std::size_t channels,
                      const Out& maximum, const Out& mean, const Out& deviation) {
    const std::size_t views = kViewCount != 0 ? kViewCount : given;
    const float scale = 1.0F / static_cast<float>(views);
    for (std::size_t c = 0; c < channels; c += kLanes) {
        Vec sampled[kViewCount != 0 ? kViewCount : kMaxPooledViews];
        Vec largest{};
        Vec sum{};
        for (std::size_t v = 0; v < views; ++v) {
            const CornersOf<Value>& k = corners[v];
            const Vec f =
                sample(k.texel[0] + c) * k.weight[0] + sample(k.texel[1] + c) * k.weight[1] +
                sample(k.texel[2] + c) * k.weight[2] + sample(k.texel[3] + c) * k.weight[3];
            sampled[v] = f;
            largest = v == 0 ? f : (f > largest ? f : largest);
            sum += f;
        }
        const Vec average = sum * scale;
        Vec variance{};
        for (std::size_t v = 0; v < views; ++v) {
            const Vec d = sampled[v] - average;
            variance += d * d;
        }
        variance = variance * scale + 1e-6F;
        for (std::size_t i = 0; i < kLanes; ++i) variance[i] = __builtin_sqrtf(variance[i]);
        maximum(c, largest);
        mean(c, average);
        deviation(c, variance);
    }
}

template <class Value, class Out>
inline void poolInto(const CornersOf<Value>* corners, std::size_t views, std::size_t channels,
                     const Out& maximum, const Out& mean, const Out& deviation) {
    if (views == 3) {
        poolViews<3>(corners, views, channels, maximum, mean, deviation);
    } else {
        poolViews<0>(corners, views, channels, maximum, mean, deviation);
    }
}

void pool(const Corners* corners, std::size_t views, std::size_t channels, float* maximum,
          float* mean, float* deviation) {
    poolInto(corners, views, channels, ToFloat{maximum}, ToFloat{mean}, ToFloat{deviation});
}

void poolBfloat16(const Bfloat16Corners* corners, std::size_t views, std::size_t channels,
                  std::uint16_t* maximum, std::uint16_t* mean, std::uint16_t* deviation) {
    poolInto(corners, views, channels, ToBfloat16{maximum}, ToBfloat16{mean},
             ToBfloat16{deviation});
}

void poolUint8(const Bfloat16Corners* corners, std::size_t views, std::size_t channels,
               const float* const inverseScales[3], std::uint8_t* maximum, std::uint8_t* mean,
               std::uint8_t* deviation) {
    poolInto(corners, views, channels, ToScaledBytes{inverseScales[0], maximum},
             ToScaledBytes{inverseScales[1], mean}, ToScaledBytes{inverseScales[2], deviation});
}

// Adds a row's products to `Vectors` vectors of sums in one loop, so that the sums stay in
// registers.
template <std::size_t Vectors>
inline void sumRow(const SparseRows& matrix, std::size_t row, const float* x, std::size_t xStride,
                   Vec* sum) {
    const std::uint32_t end = matrix.rowOffsets[row + 1];
    for (std::uint32_t k = matrix.rowOffsets[row]; k < end; ++k) {
        const float value = matrix.values[k];
        const float* from = x + matrix.columns[k] * xStride;
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
    for (; c + kSumVectors * kLanes <= width; c += kSumVectors * kLanes)
        laplacianColumns<kSumVectors>(matrix, first, last, x + c, xStride, out + c, outStride);
    for (; c < width; c += kLanes)
        laplacianColumns<1>(matrix, first, last, x + c, xStride, out + c, outStride);
}

template <std::size_t Vectors, class Out>
inline void epilogueColumns(const GraphEpilogue& epilogue, std::size_t column, const Out& out) {
    for (std::size_t row = epilogue.first; row < epilogue.last; ++row) {
        Vec sum[Vectors];
        const float* own = epilogue.products + row * 2 * epilogue.width + column;
        const float* bias = epilogue.bias + (row - epilogue.first) * epilogue.biasStride + column;
        for (std::size_t i = 0; i < Vectors; ++i)
            sum[i] = load(own + i * kLanes) + load(bias + i * kLanes);
        sumRow<Vectors>(epilogue.matrix, row, epilogue.products + epilogue.width + column,
                        2 * epilogue.width, sum);
        const std::size_t to = (row - epilogue.first) * epilogue.width + column;
        for (std::size_t i = 0; i < Vectors; ++i) sum[i] = sum[i] > 0.0F ? sum[i] : Vec{};
        if (epilogue.residual != nullptr) {
            for (std::size_t i = 0; i < Vectors; ++i)
                sum[i] += load(epilogue.residual + to + i * kLanes);
        }
        if (epilogue.float32Out != nullptr) {
            for (std::size_t i = 0; i < Vectors; ++i)
                store(epilogue.float32Out + to + i * kLanes, sum[i]);
        }
        for (std::size_t i = 0; i < Vectors; ++i) out(to + i * kLanes, sum[i]);
    }
}

template <class Out>
inline void epilogueAll(const GraphEpilogue& epilogue, const Out& out) {
    std::size_t c = 0;
    for (; c + kSumVectors * kLanes <= epilogue.width; c += kSumVectors * kLanes)
        epilogueColumns<kSumVectors>(epilogue, c, out);
    for (; c < epilogue.width; c += kLanes) epilogueColumns<1>(epilogue, c, out);
}

void epilogue(const GraphEpilogue& epilogue, float* out) {
    epilogueAll(epilogue, ToFloat{out});
}

void epilogueBfloat16(const GraphEpilogue& epilogue, std::uint16_t* out) {
    epilogueAll(epilogue, ToBfloat16{out});
}

void epilogueUint8(const GraphEpilogue& epilogue, float inverseScale, std::uint8_t* out) {
    epilogueAll(epilogue, ToBytes{inverseScale, out});
}

void rowBias(const float* offsetBias, std::size_t rows, std::size_t width, const float* bias,
             const float* rowSums, const float* slope, float* out) {
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t c = 0; c < width; c += kLanes)
            store(out + row * width + c, load(offsetBias + row * width + c) + load(bias + c) +
                                             rowSums[row] * load(slope + c));
    }
}

void average(float* x, const float* y, float factor, std::size_t count) {
    for (std::size_t i = 0; i < count; i += kLanes)
        store(x + i, factor * (load(x + i) + load(y + i)));
}

void toBfloat16(const float* x, std::size_t count, std::uint16_t* out) {
    for (std::size_t i = 0; i < count; i += kLanes) storeBfloat16(out + i, load(x + i));
}

void dotPairs(const float* x, std::size_t rows, std::size_t width, const float* weights,
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

const NetworkKernels THREEFOLD_VARIANT::kNetworkKernels = {
    .name = THREEFOLD_VARIANT_NAME,
    .pool = pool,
    .poolBfloat16 = poolBfloat16,
    .poolUint8 = poolUint8,
    .laplacian = laplacian,
    .epilogue = epilogue,
    .epilogueBfloat16 = epilogueBfloat16,
    .epilogueUint8 = epilogueUint8,
    .rowBias = rowBias,
    .average = average,
    .toBfloat16 = toBfloat16,
    .dotPairs = dotPairs,
};

}  // namespace threefold::simd
