#include "cuda/portable/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "engine/formats/tensors/array.h"

namespace threefold::cuda {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float towards(float x, float goal) {
    return std::nextafter(x, goal);
}

/// Expects fromFloat() to convert each value of the format to itself, a value between two
/// neighbours to the nearer neighbour, and their midpoint to the even neighbour. `largest`: bits of
/// the largest finite number.
template <class T>
void expectNearestEven(unsigned largest) {
    using Bits = decltype(T::bits);
    for (unsigned bits = 0; bits <= largest; ++bits) {
        const float value = toFloat(T{static_cast<Bits>(bits)});
        ASSERT_EQ(fromFloat<T>(value).bits, bits);
        constexpr unsigned sign = 1U << (8 * sizeof(Bits) - 1);
        ASSERT_EQ(fromFloat<T>(-value).bits, bits | sign);
        ASSERT_EQ(toFloat(T{static_cast<Bits>(bits | sign)}), -value);
        if (bits == largest) break;
        const float next = toFloat(T{static_cast<Bits>(bits + 1)});
        ASSERT_LT(value, next);
        const auto middle =
            static_cast<float>(static_cast<double>(value) / 2 + static_cast<double>(next) / 2);
        if (middle == value || middle == next) continue;  // a float cannot represent the midpoint
        ASSERT_EQ(fromFloat<T>(middle).bits, bits + bits % 2) << value;
        ASSERT_EQ(fromFloat<T>(towards(middle, 0.0F)).bits, bits) << value;
        ASSERT_EQ(fromFloat<T>(towards(middle, kInfinity)).bits, bits + 1) << value;
        ASSERT_EQ(fromFloat<T>(-middle).bits, (bits + bits % 2) | sign) << value;
    }
}

TEST(Half, equalsTheEnginesHalf_forEveryBitPattern) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const float expected = halfToFloat(static_cast<std::uint16_t>(bits));
        const float value = toFloat(Half{static_cast<std::uint16_t>(bits)});
        ASSERT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected));
    }
}

TEST(Half, roundsToNearestEven_whenBetweenTwo) {
    expectNearestEven<Half>(0x7bff);
}

TEST(Half, isInfiniteOrNan_whenBeyondItsRange) {
    EXPECT_EQ(fromFloat<Half>(towards(65520.0F, 0.0F)).bits, 0x7bff);
    EXPECT_EQ(fromFloat<Half>(65520.0F).bits, 0x7c00);
    EXPECT_EQ(fromFloat<Half>(-1e30F).bits, 0xfc00);
    EXPECT_EQ(fromFloat<Half>(kInfinity).bits, 0x7c00);
    EXPECT_EQ(fromFloat<Half>(NAN).bits, 0x7fff);
    EXPECT_EQ(fromFloat<Half>(-NAN).bits, 0x7fff);
    EXPECT_EQ(fromFloat<Half>(std::numeric_limits<float>::denorm_min()).bits, 0);
    EXPECT_EQ(fromFloat<Half>(std::ldexp(1.0F, -25)).bits, 0);
    EXPECT_EQ(fromFloat<Half>(towards(std::ldexp(1.0F, -25), 1.0F)).bits, 1);
}

TEST(Half, isTheLargestFiniteNumber_whenPackedFinite) {
    EXPECT_EQ(packFinite<Half>(65520.0F, -1e30F), 0xfbff7bffU);
    EXPECT_EQ(packFinite<Half>(-kInfinity, kInfinity), 0x7bfffbffU);
    EXPECT_EQ(packFinite<Half>(NAN, 1.0F), 0x3c007fffU);
    EXPECT_EQ(packFinite<Half>(65504.0F, 0.0F), 0x00007bffU);
    EXPECT_EQ(packFinite<Bfloat16>(kInfinity, 1.0F), packPair<Bfloat16>(kInfinity, 1.0F));
}

TEST(Bfloat16, equalsTheEnginesBfloat16_forEveryBitPattern) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const float expected = bfloat16ToFloat(static_cast<std::uint16_t>(bits));
        const float value = toFloat(Bfloat16{static_cast<std::uint16_t>(bits)});
        ASSERT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected));
    }
}

TEST(Bfloat16, roundsToNearestEven_whenBetweenTwo) {
    expectNearestEven<Bfloat16>(0x7f7f);
}

TEST(Bfloat16, isInfiniteOrNan_whenBeyondItsRange) {
    EXPECT_EQ(fromFloat<Bfloat16>(std::numeric_limits<float>::max()).bits, 0x7f80);
    EXPECT_EQ(fromFloat<Bfloat16>(-kInfinity).bits, 0xff80);
    EXPECT_EQ(fromFloat<Bfloat16>(NAN).bits, 0x7fff);
}

TEST(Tf32, roundsTiesAwayFromZero_whenBetweenTwo) {
    EXPECT_EQ(toTf32(1.0F), 0x3f800000U);
    EXPECT_EQ(toTf32(std::bit_cast<float>(0x3f800fffU)), 0x3f800000U);
    EXPECT_EQ(toTf32(std::bit_cast<float>(0x3f801000U)), 0x3f802000U);
    EXPECT_EQ(toTf32(std::bit_cast<float>(0xbf801000U)), 0xbf802000U);
    EXPECT_EQ(toTf32(kInfinity), 0x7f800000U);
    EXPECT_EQ(toTf32(std::numeric_limits<float>::max()), 0x7f800000U);
    // The machine code of cvt.rna.tf32 on compute capabilities 8.0 to 12.0 gives these payloads of
    // NaN: it compares, adds and masks.
    EXPECT_EQ(toTf32(std::bit_cast<float>(0x7fc00000U)), 0x7fc00000U);
    EXPECT_EQ(toTf32(std::bit_cast<float>(0xffffffffU)), 0xffffe000U);
}

TEST(Int8, roundsAndSaturates_whenBeyondItsRange) {
    for (int i = -300; i <= 300; ++i) {
        const int kept = i > 127 ? 127 : (i < -127 ? -127 : i);
        ASSERT_EQ(toInt8(static_cast<float>(i)), kept);
    }
    EXPECT_EQ(toInt8(0.5F), 0);
    EXPECT_EQ(toInt8(1.5F), 2);
    EXPECT_EQ(toInt8(-2.5F), -2);
    EXPECT_EQ(toInt8(-1.5F), -2);
    EXPECT_EQ(toInt8(kInfinity), 127);
    EXPECT_EQ(toInt8(-kInfinity), -127);
    EXPECT_EQ(toInt8(NAN), 0);
}

TEST(Pack, putsTheFirstLowest_whenValuesShareARegister) {
    EXPECT_EQ(packPair<Half>(1.0F, -2.0F), 0xc0003c00U);
    EXPECT_EQ(packPair<Bfloat16>(1.0F, -2.0F), 0xc0003f80U);
    EXPECT_EQ(lowOf<Half>(0xc0003c00U), 1.0F);
    EXPECT_EQ(highOf<Half>(0xc0003c00U), -2.0F);
    EXPECT_EQ(lowOf<Bfloat16>(0xc0003f80U), 1.0F);
    EXPECT_EQ(highOf<Bfloat16>(0xc0003f80U), -2.0F);
    EXPECT_EQ(packInt8(1, -1, 127, -128), 0x807fff01U);
}

}  // namespace
}  // namespace threefold::cuda
