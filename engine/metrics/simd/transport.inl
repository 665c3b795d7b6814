// The passes in plain vector code, compiled once for each instruction set
// (engine/compute/variants.h).
#define THREEFOLD_LANES (THREEFOLD_REGISTER_BYTES / 4)  // floats

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/metrics/simd/transport.h"

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

inline Vec larger(Vec a, Vec b) {
#if THREEFOLD_LANES == 16
    // The unmasked intrinsic makes GCC 12 warn about its own header.
    return _mm512_maskz_max_ps(0xFFFF, a, b);
#elif THREEFOLD_LANES == 8
    return _mm256_max_ps(a, b);
#else
    return a > b ? a : b;
#endif
}

inline Vec smaller(Vec a, Vec b) {
    return -larger(-a, -b);
}

inline Vec root(Vec v) {
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

// 2^x: the nearest integer becomes the exponent; the rest goes through the best polynomial of
// degree 5 on −1/2…1/2 (relative error 7.5e-8; with float32's rounding 2.3e-7).
inline Vec powerOfTwo(Vec x) {
    const Vec limited = larger(x, Vec{} - 126.0F);
#if THREEFOLD_LANES == 16
    const Vec whole = _mm512_maskz_roundscale_ps(0xFFFF, limited, 0);
#else
    constexpr float kRounder = 12582912.0F;  // 1.5 · 2^23: adding it leaves an integer
    const Vec rounded = limited + kRounder;
    const Vec whole = rounded - kRounder;
#endif
    const Vec rest = limited - whole;
    Vec sum = Vec{} + 1.3276472e-3F;
    sum = sum * rest + 9.6755415e-3F;
    sum = sum * rest + 5.5507133e-2F;
    sum = sum * rest + 2.40221197e-1F;
    sum = sum * rest + 6.93146967e-1F;
    sum = sum * rest + 1.00000007F;
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

// Distances of a point to the cloud's points j and after it.
struct From {
    const TransportCloud& to;
    Vec x, y, z;

    From(const TransportCloud& cloud, const float* point)
        : to(cloud), x(Vec{} + point[0]), y(Vec{} + point[1]), z(Vec{} + point[2]) {}
    Vec distances(std::size_t j) const {
        const Vec dx = x - load(to.x + j);
        const Vec dy = y - load(to.y + j);
        const Vec dz = z - load(to.z + j);
        return root(dx * dx + dy * dy + dz * dz);
    }
};

TransportKernels::PowerSum powerSum(const TransportCloud& to, const float* point,
                                    const float* price, float inverse, float* row) {
    const From from(to, point);
    Vec most = Vec{} - 3.0e38F;
    for (std::size_t j = 0; j < to.padded; j += kLanes) {
        const Vec exponent = (load(price + j) - from.distances(j)) * inverse;
        store(row + j, exponent);
        most = larger(most, exponent);
    }
    float largest = most[0];
    for (std::size_t i = 1; i < kLanes; ++i) largest = most[i] > largest ? most[i] : largest;
    Vec sum{};
    for (std::size_t j = 0; j < to.padded; j += kLanes) sum += powerOfTwo(load(row + j) - largest);
    return {largest, total(sum)};
}

float least(const TransportCloud& to, const float* point, const float* price) {
    const From from(to, point);
    Vec fewest = Vec{} + 3.0e38F;
    for (std::size_t j = 0; j < to.padded; j += kLanes)
        fewest = smaller(fewest, from.distances(j) - load(price + j));
    float result = fewest[0];
    for (std::size_t i = 1; i < kLanes; ++i) result = fewest[i] < result ? fewest[i] : result;
    return result;
}

TransportKernels::Moved moved(const TransportCloud& to, const float* point, float own,
                              const float* price, const float* weight, float inverse) {
    const From from(to, point);
    Vec mass{};
    Vec cost{};
    for (std::size_t j = 0; j < to.padded; j += kLanes) {
        const Vec distance = from.distances(j);
        const Vec part =
            powerOfTwo((own + load(price + j) - distance) * inverse) * load(weight + j);
        mass += part;
        cost += part * distance;
    }
    return {total(mass), total(cost)};
}

void powers(const float* x, std::size_t count, float* out) {
    for (std::size_t i = 0; i < count; i += kLanes) store(out + i, powerOfTwo(load(x + i)));
}

}  // namespace

const TransportKernels THREEFOLD_VARIANT::kTransportKernels = {THREEFOLD_VARIANT_NAME, powerSum,
                                                               least, moved, powers};

}  // namespace threefold::simd
