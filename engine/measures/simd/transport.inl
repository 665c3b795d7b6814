// The passes in plain vector code, compiled once for each instruction set
// (engine/compute/variants.h).
#define THREEFOLD_LANES (THREEFOLD_REGISTER_BYTES / 4)  // floats

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/measures/simd/transport.h"

namespace threefold::simd {
namespace {

constexpr std::size_t kLanes = THREEFOLD_LANES;

using Vec = float __attribute__((vector_size(4 * THREEFOLD_LANES)));
using Ints = int __attribute__((vector_size(4 * THREEFOLD_LANES)));

inline Vec load(const float* from) {
    Vec v;
    __builtin_memcpy(&v, from, sizeof(v));
    return v;
}

inline void store(float* to, Vec v) {
    __builtin_memcpy(to, &v, sizeof(v));
}

inline Vec maximum(Vec a, Vec b) {
#if THREEFOLD_LANES == 16
    // The unmasked intrinsic makes GCC 12 warn about its own header.
    return _mm512_maskz_max_ps(0xFFFF, a, b);
#elif THREEFOLD_LANES == 8
    return _mm256_max_ps(a, b);
#else
    return a > b ? a : b;
#endif
}

inline Vec minimum(Vec a, Vec b) {
    return -maximum(-a, -b);
}

inline Vec squareRoot(Vec v) {
#if THREEFOLD_LANES == 16
    return _mm512_maskz_sqrt_ps(0xFFFF, v);
#elif THREEFOLD_LANES == 8
    return _mm256_sqrt_ps(v);
#elif defined(__x86_64__)
    return _mm_sqrt_ps(v);
#else
    for (std::size_t i = 0; i < kLanes; ++i) v[i] = __builtin_sqrtf(v[i]);
    return v;
#endif
}

inline double total(Vec v) {
    double sum = 0;
    for (std::size_t i = 0; i < kLanes; ++i) sum += static_cast<double>(v[i]);
    return sum;
}

// 2^x = 2^n · 2^(x − n): the nearest integer n is the exponent; a minimax polynomial of degree 5 on
// −1/2…1/2 computes 2^(x − n) (relative error 7.5e-8; with float32's rounding 2.3e-7).
inline Vec powerOfTwo(Vec x) {
    const Vec limited = maximum(x, Vec{} - 126.0F);
#if THREEFOLD_LANES == 16
    const Vec whole = _mm512_maskz_roundscale_ps(0xFFFF, limited, 0);
#else
    constexpr float kRounder = 12582912.0F;  // 1.5 · 2^23: adding it rounds to an integer
    const Vec rounded = limited + kRounder;
    const Vec whole = rounded - kRounder;
#endif
    const Vec fraction = limited - whole;
    Vec sum = Vec{} + 1.3276472e-3F;
    sum = sum * fraction + 9.6755415e-3F;
    sum = sum * fraction + 5.5507133e-2F;
    sum = sum * fraction + 2.40221197e-1F;
    sum = sum * fraction + 6.93146967e-1F;
    sum = sum * fraction + 1.00000007F;
#if THREEFOLD_LANES == 16
    return _mm512_maskz_scalef_ps(0xFFFF, sum, whole);
#else
    Ints bits;
    __builtin_memcpy(&bits, &rounded, sizeof(bits));
    bits = (bits - 0x4B400000 + 127) << 23;
    Vec power;
    __builtin_memcpy(&power, &bits, sizeof(power));
    return sum * power;
#endif
}

// Distances from a point to kLanes points of the cloud, from index j on.
struct Distances {
    const TransportCloud& to;
    Vec x, y, z;

    Distances(const TransportCloud& cloud, const float* point)
        : to(cloud), x(Vec{} + point[0]), y(Vec{} + point[1]), z(Vec{} + point[2]) {}
    Vec at(std::size_t j) const {
        const Vec dx = x - load(to.x + j);
        const Vec dy = y - load(to.y + j);
        const Vec dz = z - load(to.z + j);
        return squareRoot(dx * dx + dy * dy + dz * dz);
    }
};

TransportKernels::PowerSum powerSum(const TransportCloud& to, const float* point,
                                    const float* potential, float inverseTemperature,
                                    float* scratch) {
    const Distances distances(to, point);
    Vec highest = Vec{} - 3.0e38F;
    for (std::size_t j = 0; j < to.paddedCount; j += kLanes) {
        const Vec exponent = (load(potential + j) - distances.at(j)) * inverseTemperature;
        store(scratch + j, exponent);
        highest = maximum(highest, exponent);
    }
    float maxExponent = highest[0];
    for (std::size_t i = 1; i < kLanes; ++i)
        maxExponent = highest[i] > maxExponent ? highest[i] : maxExponent;
    Vec sum{};
    for (std::size_t j = 0; j < to.paddedCount; j += kLanes)
        sum += powerOfTwo(load(scratch + j) - maxExponent);
    return {maxExponent, total(sum)};
}

float minReducedCost(const TransportCloud& to, const float* point, const float* potential) {
    const Distances distances(to, point);
    Vec lowest = Vec{} + 3.0e38F;
    for (std::size_t j = 0; j < to.paddedCount; j += kLanes)
        lowest = minimum(lowest, distances.at(j) - load(potential + j));
    float result = lowest[0];
    for (std::size_t i = 1; i < kLanes; ++i) result = lowest[i] < result ? lowest[i] : result;
    return result;
}

TransportKernels::Transported transported(const TransportCloud& to, const float* point,
                                          float ownPotential, const float* potential,
                                          const float* weight, float inverseTemperature) {
    const Distances distances(to, point);
    Vec mass{};
    Vec cost{};
    for (std::size_t j = 0; j < to.paddedCount; j += kLanes) {
        const Vec distance = distances.at(j);
        const Vec moving =
            powerOfTwo((ownPotential + load(potential + j) - distance) * inverseTemperature) *
            load(weight + j);
        mass += moving;
        cost += moving * distance;
    }
    return {total(mass), total(cost)};
}

void powersOfTwo(const float* x, std::size_t count, float* out) {
    for (std::size_t i = 0; i < count; i += kLanes) store(out + i, powerOfTwo(load(x + i)));
}

}  // namespace

const TransportKernels THREEFOLD_VARIANT::kTransportKernels = {
    THREEFOLD_VARIANT_NAME, powerSum, minReducedCost, transported, powersOfTwo};

}  // namespace threefold::simd
