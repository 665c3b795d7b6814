#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "cuda/portable/spelling.h"

/// Number formats narrower than float32, stored as bits. Conversions round to nearest, ties to
/// even, and keep subnormals; every NaN becomes the device's (all bits but the sign set). The
/// device's instructions and the plain code give the same bits.
namespace threefold::cuda {

/// IEEE 754 binary16. Beyond 65504 (from 65520 on) is infinity.
struct Half {
    std::uint16_t bits;
};

/// The upper half of a float32.
struct Bfloat16 {
    std::uint16_t bits;
};

/// e4m3 of the Open Compute Project: 4 bits of exponent, 3 of mantissa, no infinity. Beyond 448
/// saturates to ±448, infinity too.
struct Float8 {
    std::uint8_t bits;
};

namespace detail {

THREEFOLD_DEVICE std::uint32_t bitsOf(float x) {
#if defined(__CUDA_ARCH__)
    return __float_as_uint(x);
#else
    return std::bit_cast<std::uint32_t>(x);
#endif
}

THREEFOLD_DEVICE float floatOf(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return __uint_as_float(bits);
#else
    return std::bit_cast<float>(bits);
#endif
}

/// A magnitude (no sign, no NaN) rounded to `mantissa` bits and exponents of bias `bias`; the
/// result has as many exponent bits as it needs.
template <int mantissa, int bias>
THREEFOLD_DEVICE std::uint32_t roundMagnitude(std::uint32_t magnitude) {
    constexpr int dropped = 23 - mantissa;
    constexpr std::uint32_t smallestNormal = static_cast<std::uint32_t>(128 - bias) << 23;
    if (magnitude < smallestNormal) {
        // In units of the smallest subnormal; the sum with 2^23 rounds to whole ones.
        constexpr std::uint32_t unitsPerOne = static_cast<std::uint32_t>(126 + bias + mantissa)
                                              << 23;
        const float units = floatOf(magnitude) * floatOf(unitsPerOne);
        return bitsOf(units + 8388608.0F) & 0x7fffffU;
    }
    const std::uint32_t rounded =
        magnitude + ((1U << (dropped - 1)) - 1) + (magnitude >> dropped & 1U);
    return (rounded >> dropped) - (static_cast<std::uint32_t>(127 - bias) << mantissa);
}

/// Conversions in plain code, for the processor and for devices without an instruction.
THREEFOLD_DEVICE std::uint16_t halfBits(float x) {
    const std::uint32_t bits = bitsOf(x);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return 0x7fff;
    const std::uint32_t rounded =
        magnitude >= 0x47800000U ? 0x7c00U : roundMagnitude<10, 15>(magnitude);
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000U) | rounded);
}

THREEFOLD_DEVICE float halfValue(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t magnitude = bits & 0x7fffU;
    if (magnitude < 0x400U) {
        const float value = static_cast<float>(magnitude) * 5.9604644775390625e-8F;  // 2^-24
        return floatOf(sign | bitsOf(value));
    }
    const std::uint32_t rebias = magnitude >= 0x7c00U ? 0xe0U : 0x70U;
    return floatOf(sign | ((magnitude << 13) + (rebias << 23)));
}

THREEFOLD_DEVICE std::uint16_t bfloat16Bits(float x) {
    const std::uint32_t bits = bitsOf(x);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

THREEFOLD_DEVICE std::uint8_t float8Bits(float x) {
    const std::uint32_t bits = bitsOf(x);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return 0x7f;
    const std::uint32_t rounded =
        magnitude >= 0x43e00000U ? 0x7eU : roundMagnitude<3, 7>(magnitude);
    return static_cast<std::uint8_t>((bits >> 24 & 0x80U) | (rounded < 0x7eU ? rounded : 0x7eU));
}

THREEFOLD_DEVICE float float8Value(std::uint8_t bits) {
    const std::uint32_t sign = (bits & 0x80U) << 24;
    const std::uint32_t magnitude = bits & 0x7fU;
    if (magnitude == 0x7fU) return floatOf(sign | 0x7fffffffU);
    if (magnitude < 8) {
        return floatOf(sign | bitsOf(static_cast<float>(magnitude) * 0.001953125F));  // 2^-9
    }
    return floatOf(sign | ((magnitude << 20) + (120U << 23)));
}

}  // namespace detail

THREEFOLD_DEVICE float toFloat(float x) {
    return x;
}

THREEFOLD_DEVICE float toFloat(Half x) {
#if defined(__CUDA_ARCH__)
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
    return value;
#else
    return detail::halfValue(x.bits);
#endif
}

THREEFOLD_DEVICE float toFloat(Bfloat16 x) {
    return detail::floatOf(static_cast<std::uint32_t>(x.bits) << 16);
}

THREEFOLD_DEVICE float toFloat(Float8 x) {
    return detail::float8Value(x.bits);
}

/// T = float, Half, Bfloat16 or Float8.
template <class T>
THREEFOLD_DEVICE T fromFloat(float x) {
    if constexpr (std::is_same_v<T, float>) {
        return x;
    } else if constexpr (std::is_same_v<T, Half>) {
#if defined(__CUDA_ARCH__)
        Half rounded;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(x));
        return rounded;
#else
        return Half{detail::halfBits(x)};
#endif
    } else if constexpr (std::is_same_v<T, Bfloat16>) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        Bfloat16 rounded;
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(x));
        return rounded;
#else
        return Bfloat16{detail::bfloat16Bits(x)};
#endif
    } else {
        static_assert(std::is_same_v<T, Float8>);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
        std::uint16_t pair;
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0F), "f"(x));
        return Float8{static_cast<std::uint8_t>(pair)};
#else
        return Float8{detail::float8Bits(x)};
#endif
    }
}

/// Two values of T = Half or Bfloat16 in one register, `low` in the lower 16 bits: as they lie in
/// memory one after the other.
template <class T>
THREEFOLD_DEVICE std::uint32_t packPair(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    std::uint32_t pair;
    if constexpr (std::is_same_v<T, Half>) {
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    } else {
        static_assert(std::is_same_v<T, Bfloat16>);
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    }
    return pair;
#else
    static_assert(std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>);
    return fromFloat<T>(low).bits | static_cast<std::uint32_t>(fromFloat<T>(high).bits) << 16;
#endif
}

/// packPair() with infinities of Half replaced by its largest finite number. NaN stays NaN.
template <class T>
THREEFOLD_DEVICE std::uint32_t packFinite(float low, float high) {
    if constexpr (std::is_same_v<T, Half>) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        std::uint32_t pair;
        asm("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
        return pair;
#else
        constexpr float kLargest = 65504.0F;
        const auto finite = [](float x) {
            return x > kLargest ? kLargest : (x < -kLargest ? -kLargest : x);
        };
        return packPair<T>(finite(low), finite(high));
#endif
    } else {
        return packPair<T>(low, high);
    }
}

/// The values of a pair of T = Half or Bfloat16.
template <class T>
THREEFOLD_DEVICE float lowOf(std::uint32_t pair) {
    return toFloat(T{static_cast<std::uint16_t>(pair)});
}
template <class T>
THREEFOLD_DEVICE float highOf(std::uint32_t pair) {
    return toFloat(T{static_cast<std::uint16_t>(pair >> 16)});
}

/// Four Float8 in one register, `a` in the lowest byte.
THREEFOLD_DEVICE std::uint32_t packFloat8(float a, float b, float c, float d) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    std::uint16_t low;
    std::uint16_t high;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(low) : "f"(b), "f"(a));
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(high) : "f"(d), "f"(c));
    return low | static_cast<std::uint32_t>(high) << 16;
#else
    return fromFloat<Float8>(a).bits | static_cast<std::uint32_t>(fromFloat<Float8>(b).bits) << 8 |
           static_cast<std::uint32_t>(fromFloat<Float8>(c).bits) << 16 |
           static_cast<std::uint32_t>(fromFloat<Float8>(d).bits) << 24;
#endif
}

/// Rounded to nearest, ties to even, and saturated to ±127. NaN is 0.
THREEFOLD_DEVICE int toInt8(float x) {
    const float kept = x == x ? x : 0.0F;
    const float clamped = kept > 127.0F ? 127.0F : (kept < -127.0F ? -127.0F : kept);
    // The sum with 1.5 · 2^23 rounds to whole numbers and leaves them in the lowest bits.
    return static_cast<int>(detail::bitsOf(clamped + 12582912.0F) - 0x4b400000U);
}

/// Four numbers of -128 to 127 in one register, `a` in the lowest byte.
THREEFOLD_DEVICE std::uint32_t packInt8(int a, int b, int c, int d) {
    return (static_cast<std::uint32_t>(a) & 0xffU) | (static_cast<std::uint32_t>(b) & 0xffU) << 8 |
           (static_cast<std::uint32_t>(c) & 0xffU) << 16 | static_cast<std::uint32_t>(d) << 24;
}

/// float32 bits rounded to the 10 mantissa bits of tfloat32, ties away from zero (cvt.rna): the
/// operand of mmaTf32. Infinity and NaN are truncated, as on the device.
THREEFOLD_DEVICE std::uint32_t toTf32(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    std::uint32_t rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
    return rounded;
#else
    const std::uint32_t bits = detail::bitsOf(x);
    const bool finite = (bits & 0x7fffffffU) < 0x7f800000U;
    return (finite ? bits + 0x1000U : bits) & 0xffffe000U;
#endif
}

}  // namespace threefold::cuda
