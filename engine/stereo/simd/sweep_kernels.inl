// The kernels in plain vector code, compiled once for each instruction set
// (engine/compute/variants.h).
#define THREEFOLD_LANES (THREEFOLD_REGISTER_BYTES / 4)  // floats

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/stereo/simd/sweep_kernels.h"

namespace threefold::simd {
namespace {

constexpr std::size_t kLanes = THREEFOLD_LANES;
static_assert(kSweepLanes % kLanes == 0);

using Vec = float __attribute__((vector_size(THREEFOLD_REGISTER_BYTES)));
using Ints = std::int32_t __attribute__((vector_size(THREEFOLD_REGISTER_BYTES)));
using UnalignedVec =
    float __attribute__((vector_size(THREEFOLD_REGISTER_BYTES), aligned(4), may_alias));
using Shorts = std::int16_t __attribute__((vector_size(THREEFOLD_REGISTER_BYTES)));
using UnalignedShorts =
    std::int16_t __attribute__((vector_size(THREEFOLD_REGISTER_BYTES), aligned(2), may_alias));

inline Vec load(const float* from) {
    return *reinterpret_cast<const UnalignedVec*>(from);
}
inline void store(float* to, Vec value) {
    *reinterpret_cast<UnalignedVec*>(to) = value;
}
inline Shorts loadShorts(const std::int16_t* from) {
    return *reinterpret_cast<const UnalignedShorts*>(from);
}
inline void storeShorts(std::int16_t* to, Shorts value) {
    *reinterpret_cast<UnalignedShorts*>(to) = value;
}
inline Vec broadcast(float value) {
    return Vec{} + value;
}

inline bool any(Ints mask) {
#if THREEFOLD_LANES == 16
    return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(mask),
                                  reinterpret_cast<__m512i>(mask)) != 0;
#elif THREEFOLD_LANES == 8
    return _mm256_testz_si256(reinterpret_cast<__m256i>(mask), reinterpret_cast<__m256i>(mask)) ==
           0;
#elif defined(__x86_64__)
    return _mm_movemask_ps(reinterpret_cast<__m128>(mask)) != 0;
#else
    std::int32_t bits = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) bits |= mask[lane];
    return bits != 0;
#endif
}

inline Vec squareRoot(Vec value) {
#if THREEFOLD_LANES == 16
    // The unmasked intrinsic makes GCC 12 warn about its own header.
    return _mm512_maskz_sqrt_ps(0xFFFF, value);
#elif THREEFOLD_LANES == 8
    return _mm256_sqrt_ps(value);
#elif defined(__x86_64__)
    return _mm_sqrt_ps(value);
#else
    Vec root;
    for (std::size_t lane = 0; lane < kLanes; ++lane) root[lane] = __builtin_sqrtf(value[lane]);
    return root;
#endif
}

inline Ints gather(const std::uint32_t* from, Ints index) {
#if THREEFOLD_LANES == 16
    return reinterpret_cast<Ints>(
        _mm512_mask_i32gather_epi32(__m512i{}, 0xFFFF, reinterpret_cast<__m512i>(index), from, 4));
#elif THREEFOLD_LANES == 8
    return reinterpret_cast<Ints>(_mm256_i32gather_epi32(reinterpret_cast<const int*>(from),
                                                         reinterpret_cast<__m256i>(index), 4));
#else
    Ints values;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
        values[lane] = static_cast<std::int32_t>(from[index[lane]]);
    return values;
#endif
}

void warpRow(const PackedPicture& source, const WarpedRow& row) {
    constexpr float kGreyUnit = 1.0F / 128;
    const float last = static_cast<float>(source.side - 1);
    for (std::size_t x = row.begin; x < row.end; x += kLanes) {
        const Vec depth = load(row.depth + x);
        if (!any(depth > 0)) {
            store(row.grey + x, Vec{});
            store(row.visible + x, Vec{});
            continue;
        }
        const Vec scale = 1 / (load(row.forward + x) * depth + row.offset[2]);
        const Vec u = (load(row.right + x) * depth + row.offset[0]) * scale;
        const Vec v = (load(row.down + x) * depth + row.offset[1]) * scale;
        // Comparisons with NaN, as at the centre of the source's camera, are false.
        const Ints within = (depth > 0) & (u >= 0) & (v >= 0) & (u < last) & (v < last);
        const Vec column = within ? u : Vec{};
        const Vec line = within ? v : Vec{};
        const Ints left = __builtin_convertvector(column, Ints);
        const Ints top = __builtin_convertvector(line, Ints);
        const Vec across = column - __builtin_convertvector(left, Vec);
        const Vec down = line - __builtin_convertvector(top, Vec);
        const Ints index = top * source.side + left;
        const Ints upper = gather(source.pairs, index);
        const Ints lower = gather(source.pairs + source.side, index);
        const Ints nearest = down < 0.5F ? upper : lower;
        const Ints inMask = ((across < 0.5F ? nearest : nearest >> 16) & 1) != 0;
        const auto grey = [](Ints half) {
            return __builtin_convertvector((half >> 1) & 0x7FFF, Vec);
        };
        const Vec a = grey(upper);
        const Vec b = grey(upper >> 16);
        const Vec c = grey(lower);
        const Vec d = grey(lower >> 16);
        const Vec above = a + across * (b - a);
        const Vec below = c + across * (d - c);
        const Vec value = (above + down * (below - above)) * kGreyUnit - 128;
        const Ints visible = within & inMask;
        store(row.grey + x, visible ? value : Vec{});
        store(row.visible + x, visible ? broadcast(1) : Vec{});
        store(row.outsideMask + x, (within & ~inMask) ? broadcast(1) : load(row.outsideMask + x));
    }
}

void addRow(float* const* sums, const float* reference, const float* grey, const float* visible,
            float sign, std::size_t begin, std::size_t end) {
    for (std::size_t x = begin; x < end; x += kLanes) {
        const Vec weight = load(visible + x);
        if (!any(weight != 0)) continue;
        const Vec signedWeight = weight * sign;
        const Vec a = load(reference + x);
        const Vec b = load(grey + x);
        const Vec wa = signedWeight * a;
        const Vec wb = signedWeight * b;
        const Vec added[kWindowSums] = {signedWeight, wa, wb, wa * a, wb * b, wa * b};
        for (std::size_t i = 0; i < kWindowSums; ++i)
            store(sums[i] + x, load(sums[i] + x) + added[i]);
    }
}

void updateScores(const float* const* sums, const float* visible, int radius, float minPixels,
                  float noise, const BestScores& scores, std::size_t begin, std::size_t end) {
    for (std::size_t x = begin; x < end; x += kLanes) {
        const Vec weight = load(visible + x);
        if (!any(weight != 0)) continue;
        Vec window[kWindowSums];
        for (std::size_t i = 0; i < kWindowSums; ++i) {
            const float* column = sums[i] + x;
            window[i] = load(column);
            for (int offset = 1; offset <= radius; ++offset)
                window[i] += load(column - offset) + load(column + offset);
        }
        const Ints enough = (weight != 0) & (window[0] >= minPixels);
        const Vec scale = 1 / (enough ? window[0] : broadcast(1));
        const Vec meanA = window[1] * scale;
        const Vec meanB = window[2] * scale;
        const Vec a = window[3] * scale - meanA * meanA;
        const Vec b = window[4] * scale - meanB * meanB;
        const Vec covariance = window[5] * scale - meanA * meanB;
        const Vec variances = ((a > 0 ? a : Vec{}) + noise) * ((b > 0 ? b : Vec{}) + noise);
        const Vec value = enough ? covariance / squareRoot(variances) : broadcast(-2);
        const Vec best = load(scores.best + x);
        const Vec second = load(scores.second + x);
        const Vec lower = best < value ? best : value;
        store(scores.best + x, best < value ? value : best);
        store(scores.second + x, second < lower ? lower : second);
    }
}

inline Shorts leastOf(Shorts a, Shorts b) {
    return a < b ? a : b;
}

std::int16_t aggregatePathStep(const std::int16_t* cost, const std::int16_t* previous,
                               std::int16_t minimum, std::int16_t p1, std::int16_t p2,
                               std::int16_t* next, std::int16_t* sum, std::size_t labelCount) {
    constexpr std::size_t kShorts = THREEFOLD_REGISTER_BYTES / 2;
    static_assert(kLabelLanes % kShorts == 0);
    const Shorts jump = Shorts{} + static_cast<std::int16_t>(minimum + p2);
    Shorts smallest = Shorts{} + std::int16_t{0x7FFF};
    for (std::size_t k = 0; k < labelCount; k += kShorts) {
        const Shorts neighbours =
            leastOf(loadShorts(previous + k - 1), loadShorts(previous + k + 1)) + p1;
        const Shorts cheapest = leastOf(leastOf(loadShorts(previous + k), neighbours), jump);
        const Shorts value = loadShorts(cost + k) + cheapest - minimum;
        storeShorts(next + k, value);
        storeShorts(sum + k, loadShorts(sum + k) + value);
        smallest = leastOf(smallest, value);
    }
    std::int16_t result = smallest[0];
    for (std::size_t lane = 1; lane < kShorts; ++lane)
        result = smallest[lane] < result ? smallest[lane] : result;
    return result;
}

}  // namespace

const SweepKernels THREEFOLD_VARIANT::kSweepKernels{THREEFOLD_VARIANT_NAME, warpRow, addRow,
                                                    updateScores, aggregatePathStep};

}  // namespace threefold::simd
