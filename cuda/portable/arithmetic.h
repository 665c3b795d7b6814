#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "cuda/portable/spelling.h"

/// CUDA's arithmetic where there is no CUDA: rounding spelled out (`__fmul_rn` is never fused into
/// a multiply-add on the device), bits as numbers, counts of bits, min and max of numbers.

#if defined(THREEFOLD_EMULATION) && !defined(__CUDACC__)

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): CUDA's names
#define THREEFOLD_MIN_MAX(Type)          \
    constexpr Type min(Type a, Type b) { \
        return b < a ? b : a;            \
    }                                    \
    constexpr Type max(Type a, Type b) { \
        return a < b ? b : a;            \
    }
THREEFOLD_MIN_MAX(int)
THREEFOLD_MIN_MAX(unsigned)
THREEFOLD_MIN_MAX(long)
THREEFOLD_MIN_MAX(unsigned long)
THREEFOLD_MIN_MAX(long long)
THREEFOLD_MIN_MAX(unsigned long long)
#undef THREEFOLD_MIN_MAX
// Of a number and NaN the number, as on the device.
inline float min(float a, float b) {
    return std::fmin(a, b);
}
inline float max(float a, float b) {
    return std::fmax(a, b);
}
inline double min(double a, double b) {
    return std::fmin(a, b);
}
inline double max(double a, double b) {
    return std::fmax(a, b);
}

inline float rsqrtf(float x) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
inline float __saturatef(float x) {
    return std::fmin(std::fmax(x, 0.0F), 1.0F);
}
inline float __expf(float x) {
    return std::exp(x);
}
inline float __fdividef(float a, float b) {
    return a / b;
}
inline float __fadd_rn(float a, float b) {
    return a + b;
}
inline float __fsub_rn(float a, float b) {
    return a - b;
}
inline float __fmul_rn(float a, float b) {
    return a * b;
}
inline float __fdiv_rn(float a, float b) {
    return a / b;
}
inline float __fsqrt_rn(float a) {
    return std::sqrt(a);
}
inline float __fmaf_rn(float a, float b, float c) {
    return std::fma(a, b, c);
}
inline double __dadd_rn(double a, double b) {
    return a + b;
}
inline double __dsub_rn(double a, double b) {
    return a - b;
}
inline double __dmul_rn(double a, double b) {
    return a * b;
}
inline double __ddiv_rn(double a, double b) {
    return a / b;
}
inline double __fma_rn(double a, double b, double c) {
    return std::fma(a, b, c);
}

namespace threefold::cuda::emulation {
/// Out of range saturates and NaN is 0, as on the device; the ordinary conversion is undefined.
constexpr int toInt(float rounded) {
    if (rounded != rounded) return 0;
    if (rounded >= 2147483648.0F) return INT32_MAX;
    if (rounded < -2147483648.0F) return INT32_MIN;
    return static_cast<int>(rounded);
}
}  // namespace threefold::cuda::emulation

inline int __float2int_rn(float x) {
    return threefold::cuda::emulation::toInt(std::nearbyint(x));
}
inline int __float2int_rz(float x) {
    return threefold::cuda::emulation::toInt(std::trunc(x));
}
inline int __float2int_rd(float x) {
    return threefold::cuda::emulation::toInt(std::floor(x));
}
inline int __float2int_ru(float x) {
    return threefold::cuda::emulation::toInt(std::ceil(x));
}
inline float __int2float_rn(int x) {
    return static_cast<float>(x);
}
inline float __uint2float_rn(unsigned x) {
    return static_cast<float>(x);
}
inline float __double2float_rn(double x) {
    return static_cast<float>(x);
}
inline unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
inline int __float_as_int(float x) {
    return std::bit_cast<int>(x);
}
inline float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
inline float __int_as_float(int x) {
    return std::bit_cast<float>(x);
}

constexpr int __popc(unsigned x) {
    return std::popcount(x);
}
constexpr int __popcll(unsigned long long x) {
    return std::popcount(x);
}
/// Place of the lowest bit that is set, counted from 1; 0 where none is.
constexpr int __ffs(int x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}
constexpr int __clz(int x) {
    return std::countl_zero(static_cast<unsigned>(x));
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

#endif
