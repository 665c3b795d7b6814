#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "cuda/portable/function_qualifiers.h"

/// Number formats narrower than float32, stored as bits. Conversions round to nearest, ties to
/// even, and keep subnormals; every NaN becomes the device's NaN (all bits set but the sign). The
/// device's instructions and the plain code give the same bits.
namespace threefold::cuda {

/// IEEE 754 binary16. Values from 65520 on round to infinity; the largest finite value is 65504.
struct Half {
    std::uint16_t bits;
};

/// The upper half of a float32.
struct Bfloat16 {
    std::uint16_t bits;
};

namespace detail {

THREEFOLD_HOST_DEVICE std::uint32_t bitsOf(float x) {
    return std::bit_cast<std::uint32_t>(x);
}

THREEFOLD_HOST_DEVICE float floatOf(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

/// Bits of a half, from the bits of a float32 magnitude below 65536 (no sign, no NaN).
THREEFOLD_HOST_DEVICE std::uint32_t halfMagnitude(std::uint32_t magnitude) {
    constexpr std::uint32_t smallestNormal = 113U << 23;
    if (magnitude < smallestNormal) {
        // In units of the smallest subnormal, 2^-24; adding 2^23 rounds to integers.
        const float units = floatOf(magnitude) * 16777216.0F;
        return bitsOf(units + 8388608.0F) & 0x7fffffU;
    }
    const std::uint32_t rounded = magnitude + 0xfffU + (magnitude >> 13 & 1U);
    return (rounded >> 13) - (112U << 10);
}

/// Conversions in plain code, for the processor and for devices without an instruction.
THREEFOLD_HOST_DEVICE std::uint16_t halfBits(float x) {
    const std::uint32_t bits = bitsOf(x);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return 0x7fff;
    const std::uint32_t rounded = magnitude >= 0x47800000U ? 0x7c00U : halfMagnitude(magnitude);
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000U) | rounded);
}

THREEFOLD_HOST_DEVICE float halfValue(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t magnitude = bits & 0x7fffU;
    if (magnitude < 0x400U) {
        const float value = static_cast<float>(magnitude) * 5.9604644775390625e-8F;  // 2^-24
        return floatOf(sign | bitsOf(value));
    }
    const std::uint32_t rebias = magnitude >= 0x7c00U ? 0xe0U : 0x70U;
    return floatOf(sign | ((magnitude << 13) + (rebias << 23)));
}

THREEFOLD_HOST_DEVICE std::uint16_t bfloat16Bits(float x) {
    const std::uint32_t bits = bitsOf(x);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

}  // namespace detail

THREEFOLD_HOST_DEVICE float toFloat(float x) {
    return x;
}

THREEFOLD_HOST_DEVICE float toFloat(Half x) {
#if defined(__CUDA_ARCH__)
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
    return value;
#else
    return detail::halfValue(x.bits);
#endif
}

THREEFOLD_HOST_DEVICE float toFloat(Bfloat16 x) {
    return detail::floatOf(static_cast<std::uint32_t>(x.bits) << 16);
}

/// Rounds to T = float, Half or Bfloat16.
template <class T>
THREEFOLD_HOST_DEVICE T fromFloat(float x) {
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
    } else {
        static_assert(std::is_same_v<T, Bfloat16>);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        Bfloat16 rounded;
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(x));
        return rounded;
#else
        return Bfloat16{detail::bfloat16Bits(x)};
#endif
    }
}

/// Two values of T = Half or Bfloat16 in one register, `low` in the lower 16 bits: as they lie in
/// memory one after the other.
template <class T>
THREEFOLD_HOST_DEVICE std::uint32_t packPair(float low, float high) {
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
THREEFOLD_HOST_DEVICE std::uint32_t packFinite(float low, float high) {
    if constexpr (std::is_same_v<T, Half>) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        std::uint32_t pair;
        asm("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
        return pair;
#else
        constexpr float kMaxFloat16 = 65504.0F;
        const auto finite = [](float x) {
            return x > kMaxFloat16 ? kMaxFloat16 : (x < -kMaxFloat16 ? -kMaxFloat16 : x);
        };
        return packPair<T>(finite(low), finite(high));
#endif
    } else {
        return packPair<T>(low, high);
    }
}

/// Lower and upper value of a pair of T = Half or Bfloat16.
template <class T>
THREEFOLD_HOST_DEVICE float lowOf(std::uint32_t pair) {
    return toFloat(T{static_cast<std::uint16_t>(pair)});
}
template <class T>
THREEFOLD_HOST_DEVICE float highOf(std::uint32_t pair) {
    return toFloat(T{static_cast<std::uint16_t>(pair >> 16)});
}

/// Rounds to nearest, ties to even, and saturates to ±127. NaN becomes 0.
THREEFOLD_HOST_DEVICE int toInt8(float x) {
    const float kept = x == x ? x : 0.0F;
    const float clamped = kept > 127.0F ? 127.0F : (kept < -127.0F ? -127.0F : kept);
    // Adding 1.5 · 2^23 rounds to an integer in the lowest bits.
    return static_cast<int>(detail::bitsOf(clamped + 12582912.0F) - 0x4b400000U);
}

/// Four numbers of -128 to 127 in one register, `a` in the lowest byte.
THREEFOLD_HOST_DEVICE std::uint32_t packInt8(int a, int b, int c, int d) {
    return (static_cast<std::uint32_t>(a) & 0xffU) | (static_cast<std::uint32_t>(b) & 0xffU) << 8 |
           (static_cast<std::uint32_t>(c) & 0xffU) << 16 | static_cast<std::uint32_t>(d) << 24;
}

/// float32 bits rounded to the 10 mantissa bits of tfloat32, ties away from zero (cvt.rna): the
/// operand of mmaTf32. Infinity and NaN are truncated, as on the device.
THREEFOLD_HOST_DEVICE std::uint32_t toTf32(float x) {
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
