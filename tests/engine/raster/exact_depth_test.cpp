#include "engine/raster/exact_depth.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "engine/raster/depth_order.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::raster {
namespace {

using test::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMaxWeight = (std::uint64_t{1} << 50) - 1;

std::uint64_t anyWeight(Random& random) {
    const std::uint64_t high = random.below(1U << 25);
    return (high << 25 | random.below(1U << 25)) >> random.below(50);
}

double anyDepth(Random& random) {
    return std::ldexp(static_cast<double>(random(-1, 1)) + random(-1, 1) * 0x1p-27,
                      static_cast<int>(random.below(9)));
}

/// Expects equal depths, and that moving a corner of `a` by one step changes the order, unless its
/// weight is 0.
void expectSame(const ExactDepth& a, const ExactDepth& b) {
    EXPECT_EQ(compareDepths(a, b), 0);
    EXPECT_EQ(compareDepths(b, a), 0);
    for (int i = 0; i < 3; ++i) {
        if (a.weight[i] == 0) continue;
        ExactDepth nearer = a;
        nearer.depth[i] = std::nextafter(nearer.depth[i], -kInfinity);
        EXPECT_EQ(compareDepths(nearer, b), -1);
        EXPECT_EQ(compareDepths(b, nearer), 1);
        ExactDepth farther = a;
        farther.depth[i] = std::nextafter(farther.depth[i], kInfinity);
        EXPECT_EQ(compareDepths(farther, b), 1);
        EXPECT_EQ(compareDepths(b, farther), -1);
    }
}

TEST(ExactDepth, ignoresTheThirdCorner_whenItsWeightIsZero) {
    Random random(20);
    for (int round = 0; round < 2000; ++round) {
        // A point on an edge of two triangles with different areas, so that its weights have
        // different scales.
        const std::uint64_t share[2] = {1 + random.below(1U << 20), 1 + random.below(1U << 20)};
        const std::uint64_t larger = 1 + random.below(1U << 25);
        const std::uint64_t other = 1 + random.below(1U << 25);
        const double depth[2] = {anyDepth(random) + 300, anyDepth(random) - 300};
        expectSame({{share[0] * larger, share[1] * larger, 0}, {depth[0], depth[1], 7}},
                   {{share[1] * other, 0, share[0] * other}, {depth[1], -9, depth[0]}});
    }
}

TEST(ExactDepth, isTheSame_whenCornersArePermuted) {
    Random random(21);
    for (int round = 0; round < 2000; ++round) {
        ExactDepth a{{1 + anyWeight(random), anyWeight(random), anyWeight(random)},
                     {2 + random(0, 1), 3 + random(0, 1), -3 - random(0, 1)}};
        ExactDepth b{{a.weight[1], a.weight[2], a.weight[0]}, {a.depth[1], a.depth[2], a.depth[0]}};
        expectSame(a, b);
        std::swap(b.weight[0], b.weight[1]);
        std::swap(b.depth[0], b.depth[1]);
        expectSame(a, b);
    }
}

TEST(ExactDepth, equalsIntegerArithmetic_whenNumbersAreSmall) {
    Random random(22);
    for (int round = 0; round < 20000; ++round) {
        ExactDepth depth[2];
        std::int64_t sum[2] = {};
        std::int64_t area[2] = {};
        for (int t = 0; t < 2; ++t) {
            for (int i = 0; i < 3; ++i) {
                const unsigned share = random.below(8) + (i == 0 ? 1 : 0);
                const int z = static_cast<int>(random.below(33)) - 16;
                depth[t].weight[i] = share;
                depth[t].depth[i] = z;
                sum[t] += std::int64_t{share} * z;
                area[t] += share;
            }
        }
        const std::int64_t difference = sum[0] * area[1] - sum[1] * area[0];
        EXPECT_EQ(compareDepths(depth[0], depth[1]),
                  difference < 0 ? -1 : (difference > 0 ? 1 : 0));
    }
}

TEST(ExactDepth, countsTheSmallestTerm_besideTheLargest) {
    const double largest = 0x1.fffffep254;  // product of floats z and w
    const ExactDepth plain{{kMaxWeight, kMaxWeight, kMaxWeight}, {largest, -largest, 0}};
    for (const double smallest : {kMinDepthMagnitude, 0x1.fffffp-299, 0x1p-200, 1.0, 0x1p200}) {
        ExactDepth farther = plain;
        farther.depth[2] = smallest;
        EXPECT_EQ(compareDepths(plain, farther), -1);
        EXPECT_EQ(compareDepths(farther, plain), 1);
        ExactDepth nearer = plain;
        nearer.depth[2] = -smallest;
        EXPECT_EQ(compareDepths(plain, nearer), 1);
        EXPECT_EQ(compareDepths(farther, nearer), 1);
        EXPECT_EQ(compareDepths(farther, farther), 0);
    }
}

TEST(ExactDepth, isTheSame_whenAllWeightedDepthsAreZero) {
    const ExactDepth zero{{1, 2, 3}, {0, -0.0, 0}};
    EXPECT_EQ(compareDepths(zero, {{3, 0, 9}, {-0.0, 5, 0}}), 0);
    EXPECT_EQ(compareDepths(zero, {{3, 1, 9}, {-0.0, kMinDepthMagnitude, 0}}), -1);
}

TEST(IsNearer, holdsEverywhere_whenCornersAreTheSameOrBothAreFlat) {
    const ScreenVertex a{0, 0, 0.5, 1};
    const ScreenVertex b{512, 0, 0.25, 1};
    const ScreenVertex c{0, 512, 0.75, 1};
    const ScreenVertex copy = b;
    const ScreenVertex moved{0, 512, std::nextafter(0.75, 1.0), 1};
    EXPECT_EQ(isNearer({&a, &b, &c}, {&c, &a, &copy}, 128, 128), Nearer::nowhere);
    EXPECT_EQ(isNearer({&a, &b, &c}, {&moved, &a, &b}, 128, 128), Nearer::yes);
    EXPECT_EQ(isNearer({&moved, &a, &b}, {&a, &b, &c}, 128, 128), Nearer::no);
    EXPECT_EQ(isNearer({&moved, &a, &b}, {&a, &b, &c}, 128, 0),
              Nearer::no);  // same depth difference at
                            // another point of the screen
    const ScreenVertex flat[4] = {
        {0, 0, 0.5, 1}, {512, 0, 0.5, 2}, {0, 512, 0.5, 1}, {-900, 700, 0.5, 1}};
    EXPECT_EQ(isNearer({&flat[0], &flat[1], &flat[2]}, {&flat[1], &flat[2], &flat[3]}, 128, 384),
              Nearer::nowhere);
}

}  // namespace
}  // namespace threefold::raster
