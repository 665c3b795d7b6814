#include "tests/cuda/emulation/primitives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "cuda/portable/half.h"
#include "tests/cuda/emulation/device_array.h"

// This file is compiled for the emulator and for a device (tests/cuda/gpu).
namespace threefold::cuda {
namespace {

using primitives::Product;
using test::DeviceArray;
using test::expectSame;

/// Random values of a product's type, packed into words and as numbers.
struct Packed {
    std::vector<std::uint32_t> words;
    std::vector<double> values;
};

Packed randomPacked(Product product, int count, std::mt19937& random) {
    std::normal_distribution<float> normal(0.0F, 3.0F);
    std::uniform_int_distribution<int> byte(-128, 127);
    Packed packed;
    const auto draw = [&](auto narrow) {
        const auto rounded = fromFloat<decltype(narrow)>(normal(random));
        packed.values.push_back(toFloat(rounded));
        return std::uint32_t{rounded.bits};
    };
    const int perWord = primitives::depthOf(product) / 8;
    for (int word = 0; word < count / perWord; ++word) {
        std::uint32_t bits = 0;
        for (int v = 0; v < perWord; ++v) {
            const int shift = 32 / perWord * v;
            switch (product) {
                case Product::half:
                    bits |= draw(Half{}) << shift;
                    break;
                case Product::bfloat16:
                    bits |= draw(Bfloat16{}) << shift;
                    break;
                case Product::int8: {
                    const int value = byte(random);
                    packed.values.push_back(value);
                    bits |= (static_cast<std::uint32_t>(value) & 0xffU) << shift;
                    break;
                }
                case Product::tfloat32:
                    bits = toTf32(normal(random));
                    packed.values.push_back(std::bit_cast<float>(bits));
                    break;
            }
        }
        packed.words.push_back(bits);
    }
    return packed;
}

int capabilityFor(Product product) {
    return product == Product::half ? 75 : 80;
}

/// Tolerated error, relative to the sum of magnitudes.
double toleranceOf(Product product) {
    if (product == Product::int8) return 0.0;
    return test::kOnDevice ? 1e-5 : 1e-7;
}

class Products : public testing::TestWithParam<Product> {};

INSTANTIATE_TEST_SUITE_P(AllKinds, Products,
                         testing::Values(Product::half, Product::bfloat16, Product::tfloat32,
                                         Product::int8));

TEST_P(Products, agreeWithThreeLoops_whenFragmentsAreLaidOutAsDocumented) {
    THREEFOLD_NEEDS_DEVICE(capabilityFor(GetParam()));
    std::mt19937 random(7);
    constexpr int kCount = 3;
    const int depth = primitives::depthOf(GetParam());
    const Packed a = randomPacked(GetParam(), kCount * 16 * depth, random);
    const Packed b = randomPacked(GetParam(), kCount * 8 * depth, random);
    const bool whole = GetParam() == Product::int8;
    std::vector<std::uint32_t> start(std::size_t{kCount} * 16 * 8);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const int value = static_cast<int>(i) - 100;
        start[i] = whole ? static_cast<std::uint32_t>(value)
                         : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
    DeviceArray left(a.words);
    DeviceArray right(b.words);
    const auto sums = expectSame([&] {
        DeviceArray d(start);
        primitives::launchProducts(nullptr, GetParam(), left.data(), right.data(), d.data(),
                                   kCount);
        return d.values();
    });
    const double* row = a.values.data();
    for (int i = 0; i < kCount * 16; ++i, row += depth) {
        const double* column = b.values.data() + std::ptrdiff_t{i / 16 * 8} * depth;
        for (int j = 0; j < 8; ++j, column += depth) {
            double expected = i * 8 + j - 100;
            double magnitude = std::abs(expected);
            for (int k = 0; k < depth; ++k) {
                expected += row[k] * column[k];
                magnitude += std::abs(row[k] * column[k]);
            }
            const std::uint32_t bits = sums[std::size_t{8} * i + j];
            const double got =
                whole ? std::bit_cast<std::int32_t>(bits) : std::bit_cast<float>(bits);
            ASSERT_NEAR(got, expected, toleranceOf(GetParam()) * magnitude) << i << ' ' << j;
        }
    }
}

TEST(LoadMatrix, givesEachLaneItsPair_whenMatricesAreNumbered) {
    THREEFOLD_NEEDS_DEVICE();
    std::vector<std::uint16_t> numbers(4 * 64);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint16_t>(i);
    DeviceArray in(numbers);
    const auto got = expectSame([&] {
        DeviceArray<std::uint32_t> out(128);
        primitives::launchLoadMatrix(nullptr, in.data(), out.data());
        return out.values();
    });
    for (unsigned i = 0; i < 128; ++i) {
        const unsigned first = 64 * (i % 4) + i / 4 * 2;  // matrix i % 4, row lane / 4
        EXPECT_EQ(got[i], first | (first + 1) << 16) << i;
    }
}

TEST(TransposeMatrix, swapsRowsAndColumns_whenMatrixLiesInRegisters) {
    THREEFOLD_NEEDS_DEVICE();
    std::vector<std::uint32_t> pairs(32);
    for (std::uint32_t i = 0; i < 32; ++i) pairs[i] = 2 * i | (2 * i + 1) << 16;
    DeviceArray in(pairs);
    const auto got = expectSame([&] {
        DeviceArray<std::uint32_t> out(32);
        primitives::launchTransposeMatrix(nullptr, in.data(), out.data());
        return out.values();
    });
    for (std::uint32_t i = 0; i < 32; ++i) {
        const std::uint32_t first = i % 4 * 16 + i / 4;  // row 2 (i % 4), column i / 4
        EXPECT_EQ(got[i], first | (first + 8) << 16) << i;
    }
}

TEST(Convert, givesTheHostsBits_inAKernel) {
    THREEFOLD_NEEDS_DEVICE();
    std::vector<float> values = {0.0F,   -0.0F,  1.0F,   -2.5F,    65504.0F,  65519.0F, 65520.0F,
                                 448.0F, 464.0F, 1e-45F, INFINITY, -INFINITY, NAN,      3e38F};
    std::mt19937 random(5);
    std::normal_distribution<float> exponent(0.0F, 12.0F);
    for (int i = 0; i < 20000; ++i) {
        const float magnitude = std::exp2(exponent(random));
        values.push_back(i % 2 == 0 ? magnitude : -magnitude);
    }
    // Midpoints between neighbouring halves.
    for (unsigned bits = 0; bits < 0x7bff; ++bits) {
        const auto low = static_cast<std::uint16_t>(bits);
        const auto high = static_cast<std::uint16_t>(bits + 1);
        values.push_back(0.5F * (toFloat(Half{low}) + toFloat(Half{high})));
    }
    DeviceArray in(values);
    DeviceArray<primitives::Converted> out(values.size());
    primitives::launchConvert(nullptr, in.data(), out.data(), static_cast<int>(values.size()));
    const auto got = out.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float x = values[i];
        ASSERT_EQ(got[i].half, fromFloat<Half>(x).bits) << x;
        ASSERT_EQ(got[i].bfloat16, fromFloat<Bfloat16>(x).bits) << x;
        ASSERT_EQ(got[i].tfloat32, toTf32(x)) << x;
        ASSERT_EQ(got[i].halfPair, packPair<Half>(x, -x)) << x;
        ASSERT_EQ(got[i].bfloat16Pair, packPair<Bfloat16>(x, -x)) << x;
        ASSERT_EQ(got[i].int8, toInt8(x)) << x;
        ASSERT_EQ(got[i].halfFinite, packFinite<Half>(x, -x)) << x;
        if (!std::isnormal(x)) continue;
        const double root = std::sqrt(std::abs(static_cast<double>(x)));
        ASSERT_NEAR(got[i].root, root, 3.6e-7 * root) << x;  // 3 ulp
    }
}

TEST(Widen, givesTheHostsValues_inAKernel) {
    THREEFOLD_NEEDS_DEVICE();
    DeviceArray<float> half(65536);
    DeviceArray<float> bfloat16(65536);
    primitives::launchWiden(nullptr, half.data(), bfloat16.data());
    const auto expectValue = [](float got, float expected) {
        ASSERT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected))) << expected;
    };
    const auto halves = half.values();
    const auto bfloats = bfloat16.values();
    for (std::size_t bits = 0; bits < 65536; ++bits) {
        expectValue(halves[bits], toFloat(Half{static_cast<std::uint16_t>(bits)}));
        expectValue(bfloats[bits], toFloat(Bfloat16{static_cast<std::uint16_t>(bits)}));
    }
}

TEST(Summarize, agreesWithALoop_whenWarpsReduceByShuffles) {
    THREEFOLD_NEEDS_DEVICE();
    std::vector<float> values(3 * 128);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i * 37 % 101) - 50.0F;
    }
    std::fill(values.begin() + 128, values.begin() + 256, -1.0F);
    DeviceArray in(values);
    const auto got = expectSame([&] {
        DeviceArray<primitives::Summary> out(3);
        primitives::launchSummarize(nullptr, in.data(), out.data(), 3);
        return out.values();
    });
    for (std::size_t block = 0; block < 3; ++block) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(128 * block);
        float sum = 0.0F;  // integers, whose sum is exact in any order
        for (auto x = begin; x != begin + 128; ++x) sum += *x;
        const auto positive = [](float x) { return x > 0.0F; };
        const auto first = std::find_if(begin, begin + 128, positive);
        EXPECT_EQ(got[block].sum, sum);
        EXPECT_EQ(got[block].largest, *std::max_element(begin, begin + 128));
        EXPECT_EQ(got[block].positive, std::count_if(begin, begin + 128, positive));
        EXPECT_EQ(got[block].firstPositive, first == begin + 128 ? -1 : first - begin);
    }
}

TEST(Shuffles, giveTheSourcesValue_whenAllLanesArrive) {
    THREEFOLD_NEEDS_DEVICE();
    const auto got = expectSame([] {
        DeviceArray<int> out(64);
        primitives::launchShuffles(nullptr, out.data());
        return out.values();
    });
    for (int lane = 0; lane < 32; ++lane) {
        const auto at = [&](int row) { return got[std::size_t{32} * row + lane]; };
        EXPECT_EQ(at(0), 5);
        EXPECT_EQ(at(1), lane ^ 9);
    }
}

TEST(Histogram, countsEachValue_whenBlocksAddToOneHistogram) {
    THREEFOLD_NEEDS_DEVICE();
    std::vector<int> values(150);
    std::vector<unsigned> expected(16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<int>(i * i % 16);
        ++expected[static_cast<std::size_t>(values[i])];
    }
    DeviceArray in(values);
    const auto got = expectSame([&] {
        DeviceArray<unsigned> out(16);
        primitives::launchHistogram(nullptr, in.data(), static_cast<int>(values.size()),
                                    out.data());
        return out.values();
    });
    EXPECT_EQ(got, expected);
}

TEST(GridBarrier, showsAllBlocksWrites_whenLaunchIsCooperative) {
    THREEFOLD_NEEDS_DEVICE();
    const std::vector<int> values = {5, 1, 4, 2, 3};
    DeviceArray in(values);
    const auto got = expectSame([&] {
        DeviceArray<int> work(10);
        DeviceArray<int> out(5);
        primitives::launchRounds(nullptr, 5, 4, in.data(), work.data(), out.data());
        return out.values();
    });
    std::vector<int> expected = values;
    for (int round = 0; round < 4; ++round) {
        const std::vector<int> before = expected;
        for (int& mine : expected) {
            for (const int other : before) mine = (mine + other) % 1009;
        }
    }
    EXPECT_EQ(got, expected);
}

TEST(TiledProduct, agreesWithThreeLoops_whenSizesAreNotWholeTiles) {
    THREEFOLD_NEEDS_DEVICE();
    constexpr int kRows = 45;
    constexpr int kColumns = 40;
    constexpr int kDepth = 72;
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<std::uint16_t> a(std::size_t{kRows} * kDepth);
    std::vector<std::uint16_t> b(std::size_t{kDepth} * kColumns);
    for (auto& x : a) x = fromFloat<Half>(normal(random)).bits;
    for (auto& x : b) x = fromFloat<Half>(normal(random)).bits;
    DeviceArray left(a);
    DeviceArray right(b);
    const auto got = expectSame([&] {
        DeviceArray<float> out(std::size_t{kRows} * kColumns);
        primitives::launchTiledProduct(nullptr, left.data(), right.data(), out.data(), kRows,
                                       kColumns, kDepth);
        return out.values();
    });
    for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t c = 0; c < kColumns; ++c) {
            double expected = 0.0;
            for (std::size_t k = 0; k < kDepth; ++k) {
                expected += static_cast<double>(toFloat(Half{a[r * kDepth + k]})) *
                            toFloat(Half{b[k * kColumns + c]});
            }
            ASSERT_NEAR(got[r * kColumns + c], expected, 1e-4) << r << ' ' << c;
        }
    }
}

}  // namespace
}  // namespace threefold::cuda
