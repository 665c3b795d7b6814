#include "tests/cuda/emulation/primitives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "cuda/portable/half.h"
#include "tests/cuda/emulation/same_results.h"

namespace threefold::cuda {
namespace {

using emulation::expectSameUnderAllSeeds;
using primitives::Product;

/// `count` random values of a product's kind, packed into words, and what they are worth.
struct Packed {
    std::vector<std::uint32_t> words;
    std::vector<double> values;
};

Packed randomPacked(Product product, std::size_t count, std::mt19937& random) {
    std::normal_distribution<float> normal(0.0F, 3.0F);
    std::uniform_int_distribution<int> byte(-128, 127);
    Packed packed;
    const auto draw = [&](auto narrow) {
        const auto rounded = fromFloat<decltype(narrow)>(normal(random));
        packed.values.push_back(toFloat(rounded));
        return std::uint32_t{rounded.bits};
    };
    const std::size_t perWord = static_cast<std::size_t>(primitives::depthOf(product)) / 8;
    for (std::size_t word = 0; word < count / perWord; ++word) {
        std::uint32_t bits = 0;
        for (std::size_t v = 0; v < perWord; ++v) {
            const auto shift = static_cast<int>(32 / perWord * v);
            switch (product) {
                case Product::half:
                    bits |= draw(Half{}) << shift;
                    break;
                case Product::bfloat16:
                    bits |= draw(Bfloat16{}) << shift;
                    break;
                case Product::float8:
                    bits |= draw(Float8{}) << shift;
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

class Products : public testing::TestWithParam<Product> {};

INSTANTIATE_TEST_SUITE_P(AllKinds, Products,
                         testing::Values(Product::half, Product::bfloat16, Product::tfloat32,
                                         Product::int8, Product::float8));

TEST_P(Products, agreeWithThreeLoops_whenFragmentsAreDocumentedOnes) {
    std::mt19937 random(7);
    constexpr int kCount = 3;
    const int depth = primitives::depthOf(GetParam());
    const Packed a =
        randomPacked(GetParam(), static_cast<std::size_t>(kCount * 16 * depth), random);
    const Packed b = randomPacked(GetParam(), static_cast<std::size_t>(kCount * 8 * depth), random);
    const bool whole = GetParam() == Product::int8;
    std::vector<std::uint32_t> start(kCount * 16 * 8);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const int value = static_cast<int>(i) - 100;
        start[i] = whole ? static_cast<std::uint32_t>(value)
                         : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
    const auto sums = expectSameUnderAllSeeds([&] {
        std::vector<std::uint32_t> d = start;
        primitives::launchProducts(nullptr, GetParam(), a.words.data(), b.words.data(), d.data(),
                                   kCount);
        return d;
    });
    for (int i = 0; i < kCount * 16 * 8; ++i) {
        const int matrix = i / 128;
        double expected = i - 100;
        for (int k = 0; k < depth; ++k) {
            expected +=
                a.values[static_cast<std::size_t>((matrix * 16 + i % 128 / 8) * depth + k)] *
                b.values[static_cast<std::size_t>((matrix * 8 + i % 8) * depth + k)];
        }
        const std::uint32_t bits = sums[static_cast<std::size_t>(i)];
        const double got = whole ? std::bit_cast<std::int32_t>(bits) : std::bit_cast<float>(bits);
        ASSERT_NEAR(got, expected, whole ? 0.0 : 1e-6 * std::abs(expected) + 1e-6) << i;
    }
}

TEST(LoadMatrix, givesEachLaneItsPair_whenMatricesAreNumbered) {
    std::vector<std::uint16_t> in(4 * 64);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i);
    for (const int matrices : {1, 2, 4}) {
        for (const bool transposed : {false, true}) {
            const auto out = expectSameUnderAllSeeds([&] {
                std::vector<std::uint32_t> registers(static_cast<std::size_t>(32 * matrices));
                primitives::launchLoadMatrix(nullptr, matrices, transposed, in.data(),
                                             registers.data());
                return registers;
            });
            for (int lane = 0; lane < 32; ++lane) {
                for (int m = 0; m < matrices; ++m) {
                    const int first =
                        transposed ? lane % 4 * 16 + lane / 4 : lane / 4 * 8 + lane % 4 * 2;
                    const int second = transposed ? first + 8 : first + 1;
                    EXPECT_EQ(out[static_cast<std::size_t>(lane * matrices + m)],
                              static_cast<std::uint32_t>(64 * m + first) |
                                  static_cast<std::uint32_t>(64 * m + second) << 16)
                        << lane << ' ' << m << ' ' << transposed;
                }
            }
        }
    }
}

TEST(Convert, isTheSharedArithmetic_whenKernelRunsIt) {
    const std::vector<float> in = {0.0F, 1.0F, -2.5F, 65504.0F, 1e9F, 1e-7F, 0.1F, NAN, INFINITY};
    std::vector<primitives::Converted> out(in.size());
    primitives::launchConvert(nullptr, in.data(), out.data(), static_cast<int>(in.size()));
    for (std::size_t i = 0; i < in.size(); ++i) {
        EXPECT_EQ(out[i].half, fromFloat<Half>(in[i]).bits);
        EXPECT_EQ(out[i].halfPair >> 16, fromFloat<Half>(-in[i]).bits);
        EXPECT_EQ(out[i].bfloat16, fromFloat<Bfloat16>(in[i]).bits);
        EXPECT_EQ(out[i].bfloat16Pair & 0xffffU, out[i].bfloat16);
        EXPECT_EQ(out[i].float8 & 0xffU, fromFloat<Float8>(in[i]).bits);
        EXPECT_EQ(out[i].float8 >> 24, fromFloat<Float8>(2.0F * in[i]).bits);
    }
}

TEST(Summarize, agreesWithALoop_whenWarpsReduceByShuffles) {
    std::vector<float> in(3 * 128);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 101) - 50.0F;
    std::fill(in.begin() + 128, in.begin() + 256, -1.0F);
    const auto out = expectSameUnderAllSeeds([&] {
        std::vector<primitives::Summary> summaries(3);
        primitives::launchSummarize(nullptr, in.data(), summaries.data(), 3);
        return summaries;
    });
    for (std::size_t block = 0; block < 3; ++block) {
        const auto begin = in.begin() + static_cast<std::ptrdiff_t>(128 * block);
        float sum = 0.0F;  // whole numbers: exact in any order
        for (auto x = begin; x != begin + 128; ++x) sum += *x;
        const auto positive = [](float x) { return x > 0.0F; };
        const auto first = std::find_if(begin, begin + 128, positive);
        EXPECT_EQ(out[block].sum, sum);
        EXPECT_EQ(out[block].largest, *std::max_element(begin, begin + 128));
        EXPECT_EQ(out[block].positive, std::count_if(begin, begin + 128, positive));
        EXPECT_EQ(out[block].firstPositive, first == begin + 128 ? -1 : first - begin);
    }
}

TEST(Shuffles, giveTheOwnValue_whenSourceIsOutsideTheGroup) {
    const auto out = expectSameUnderAllSeeds([] {
        std::vector<int> values(128);
        primitives::launchShuffles(nullptr, values.data());
        return values;
    });
    for (int lane = 0; lane < 32; ++lane) {
        const auto at = [&](int row) { return out[static_cast<std::size_t>(32 * row + lane)]; };
        EXPECT_EQ(at(0), lane / 8 * 8 + 5);
        EXPECT_EQ(at(1), lane % 16 + 3 < 16 ? lane + 3 : lane);
        EXPECT_EQ(at(2), lane < 2 ? lane : lane - 2);
        EXPECT_EQ(at(3), lane ^ 9);
    }
}

TEST(Histogram, countsEach_whenBlocksAddToOne) {
    std::vector<int> in(150);
    std::vector<unsigned> expected(16);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<int>(i * i % 16);
        ++expected[static_cast<std::size_t>(in[i])];
    }
    const auto out = expectSameUnderAllSeeds([&] {
        std::vector<unsigned> bins(16);
        primitives::launchHistogram(nullptr, in.data(), static_cast<int>(in.size()), bins.data());
        return bins;
    });
    EXPECT_EQ(out, expected);
}

TEST(NamedBarrier, keepsHalvesApart_whenEachHasItsOwn) {
    const auto out = expectSameUnderAllSeeds([] {
        std::vector<int> values(256);
        primitives::launchHalves(nullptr, values.data());
        return values;
    });
    for (int thread = 0; thread < 256; ++thread) {
        EXPECT_EQ(out[static_cast<std::size_t>(thread)], 3 * thread + 1);
    }
}

TEST(GridBarrier, showsAllBlocksWrites_whenLaunchIsCooperative) {
    const std::vector<int> in = {5, 1, 4, 2, 3};
    const auto out = expectSameUnderAllSeeds([&] {
        std::vector<int> work(10);
        std::vector<int> sums(5);
        primitives::launchRounds(nullptr, 5, 4, in.data(), work.data(), sums.data());
        return sums;
    });
    std::vector<int> expected = in;
    for (int round = 0; round < 4; ++round) {
        const std::vector<int> before = expected;
        for (int& mine : expected) {
            for (const int other : before) mine = (mine + other) % 1009;
        }
    }
    EXPECT_EQ(out, expected);
}

TEST(TiledProduct, agreesWithThreeLoops_whenSizesAreNotWholeTiles) {
    constexpr int kRows = 45;
    constexpr int kColumns = 40;
    constexpr int kDepth = 72;
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<std::uint16_t> a(kRows * kDepth);
    std::vector<std::uint16_t> b(kDepth * kColumns);
    for (auto& x : a) x = fromFloat<Half>(normal(random)).bits;
    for (auto& x : b) x = fromFloat<Half>(normal(random)).bits;
    const auto out = expectSameUnderAllSeeds([&] {
        std::vector<float> product(kRows * kColumns);
        primitives::launchTiledProduct(nullptr, a.data(), b.data(), product.data(), kRows, kColumns,
                                       kDepth);
        return product;
    });
    for (int r = 0; r < kRows; ++r) {
        for (int c = 0; c < kColumns; ++c) {
            double expected = 0.0;
            for (int k = 0; k < kDepth; ++k) {
                expected += static_cast<double>(
                                toFloat(Half{a[static_cast<std::size_t>(r * kDepth + k)]})) *
                            toFloat(Half{b[static_cast<std::size_t>(k * kColumns + c)]});
            }
            ASSERT_NEAR(out[static_cast<std::size_t>(r * kColumns + c)], expected, 1e-4)
                << r << ' ' << c;
        }
    }
}

}  // namespace
}  // namespace threefold::cuda
