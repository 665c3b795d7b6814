#include "engine/formats/tensors/array.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold {
namespace {

template <typename T>
Array arrayOf(DType type, const std::vector<T>& values) {
    Array array{type, {values.size()}, std::vector<std::byte>(values.size() * sizeof(T))};
    std::memcpy(array.data.data(), values.data(), array.data.size());
    return array;
}

TEST(Half, isExact_forEveryBitPattern) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const float value = halfToFloat(static_cast<std::uint16_t>(bits));
        const int exponent = static_cast<int>(bits >> 10 & 0x1f);
        const int mantissa = static_cast<int>(bits & 0x3ff);
        ASSERT_EQ(std::signbit(value), bits >> 15 == 1);
        if (exponent == 31 && mantissa != 0) {
            ASSERT_TRUE(std::isnan(value));
            continue;
        }
        const double magnitude = exponent == 31  ? std::numeric_limits<double>::infinity()
                                 : exponent == 0 ? std::ldexp(mantissa, -24)
                                                 : std::ldexp(1024 + mantissa, exponent - 25);
        ASSERT_EQ(std::abs(static_cast<double>(value)), magnitude) << bits;
    }
}

TEST(Half, takesBfloat16AsTheUpperHalfOfAFloat) {
    EXPECT_EQ(bfloat16ToFloat(0x3f80), 1.0f);
    EXPECT_EQ(bfloat16ToFloat(0xc000), -2.0f);
    EXPECT_EQ(bfloat16ToFloat(0x0001), std::bit_cast<float>(0x00010000u));
    EXPECT_TRUE(std::isnan(bfloat16ToFloat(0x7fc0)));
}

TEST(Array, convertsEveryType) {
    const std::vector<float> expected = {0, 1, 2};
    const auto check = [&](const Array& array) {
        EXPECT_EQ(array.toFloat(), expected) << dtypeName(array.dtype);
        EXPECT_EQ(array.toDouble(), std::vector<double>({0, 1, 2})) << dtypeName(array.dtype);
        EXPECT_EQ(array.toInt64(), std::vector<std::int64_t>({0, 1, 2})) << dtypeName(array.dtype);
    };
    check(arrayOf<std::uint16_t>(DType::f16, {0, 0x3c00, 0x4000}));
    check(arrayOf<std::uint16_t>(DType::bf16, {0, 0x3f80, 0x4000}));
    check(arrayOf<float>(DType::f32, {0, 1, 2}));
    check(arrayOf<double>(DType::f64, {0, 1, 2}));
    check(arrayOf<std::int8_t>(DType::i8, {0, 1, 2}));
    check(arrayOf<std::int16_t>(DType::i16, {0, 1, 2}));
    check(arrayOf<std::int32_t>(DType::i32, {0, 1, 2}));
    check(arrayOf<std::int64_t>(DType::i64, {0, 1, 2}));
    check(arrayOf<std::uint8_t>(DType::u8, {0, 1, 2}));
    check(arrayOf<std::uint16_t>(DType::u16, {0, 1, 2}));
    check(arrayOf<std::uint32_t>(DType::u32, {0, 1, 2}));
    check(arrayOf<std::uint64_t>(DType::u64, {0, 1, 2}));
}

TEST(Array, keepsSigns_whenConverted) {
    EXPECT_EQ(arrayOf<std::int8_t>(DType::i8, {-1}).toFloat()[0], -1);
    EXPECT_EQ(arrayOf<std::uint8_t>(DType::u8, {255}).toInt64()[0], 255);
    EXPECT_EQ(arrayOf<float>(DType::f32, {-0x1p63f}).toInt64()[0],
              std::numeric_limits<std::int64_t>::min());
    EXPECT_TRUE(std::isinf(
        arrayOf<double>(DType::f64, {std::numeric_limits<double>::infinity()}).toFloat()[0]));
}

TEST(Array, refusesToConvert_whenValueCannotBeHeld) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(arrayOf<float>(DType::f32, {1, 0.5f}).toInt64(), InputError);
    EXPECT_THROW(arrayOf<double>(DType::f64, {nan}).toInt64(), InputError);
    EXPECT_THROW(arrayOf<double>(DType::f64, {0x1p63}).toInt64(), InputError);
    EXPECT_THROW(arrayOf<std::uint64_t>(DType::u64, {1ull << 63}).toInt64(), InputError);
    EXPECT_THROW(arrayOf<double>(DType::f64, {1e300}).toFloat(), InputError);
    EXPECT_TRUE(std::isnan(arrayOf<double>(DType::f64, {nan}).toFloat()[0]));
}

TEST(Array, isMade_whenItsShapeMatchesTheValues) {
    const Array array = makeArray(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
    EXPECT_EQ(elementCount(array), 6u);
    EXPECT_EQ(shapeText(array.shape), "[2, 3]");
    EXPECT_EQ(array.toFloat(), std::vector<float>({1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(makeArray(std::vector<std::int32_t>{7}, {}).toInt64(), std::vector<std::int64_t>{7});
    EXPECT_THROW(makeArray(std::vector<float>{1, 2}, {3}), InputError);
}

TEST(Array, countsBytes_unlessTheyOverflow) {
    EXPECT_EQ(byteCount(DType::f64, {3, 4}), 96u);
    EXPECT_EQ(byteCount(DType::boolean, {}), 1u);
    EXPECT_EQ(byteCount(DType::u8, {std::size_t{1} << 63, 2}), std::nullopt);
    EXPECT_EQ(byteCount(DType::f32, {std::size_t{1} << 62}), std::nullopt);
}

}  // namespace
}  // namespace threefold
