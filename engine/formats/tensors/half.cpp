#include "engine/formats/tensors/half.h"

#include <bit>
#include <cmath>

namespace threefold {

float halfToFloat(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t exponent = bits >> 10 & 0x1fu;
    const std::uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0) {
        const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t widened = exponent == 0x1f ? 0xffu : exponent + (127 - 15);
    return std::bit_cast<float>(sign | widened << 23 | mantissa << 13);
}

std::uint16_t floatToHalf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    constexpr std::uint32_t kInfinity = 0x7f800000u;
    constexpr std::uint32_t kSmallestNormal = (127 - 14) << 23;
    if (magnitude > kInfinity) return sign | 0x7e00u;
    if (magnitude < kSmallestNormal) {
        // Subnormal: in units of 2^-24, rounded by the processor in its default mode.
        const float scaled = std::nearbyint(std::ldexp(std::bit_cast<float>(magnitude), 24));
        return sign | static_cast<std::uint16_t>(scaled);
    }
    // What is cut off, plus half a unit less the tie that stays, carries into the exponent where
    // it must.
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
    const std::uint32_t half = (rounded - ((127 - 15) << 23)) >> 13;
    return sign | static_cast<std::uint16_t>(half < 0x7c00u ? half : 0x7c00u);
}

float bfloat16ToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace threefold
