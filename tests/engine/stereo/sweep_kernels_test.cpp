#include "engine/stereo/simd/sweep_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

using simd::SweepKernels;

constexpr std::size_t kMargin = simd::kSweepLanes;
constexpr std::size_t kWidth = 5 * simd::kSweepLanes;

std::vector<float> randomRow(std::mt19937& random, float from, float to) {
    std::uniform_real_distribution<float> value(from, to);
    std::vector<float> row(kWidth + 2 * kMargin);
    for (std::size_t i = kMargin; i < kMargin + kWidth; ++i) row[i] = value(random);
    return row;
}

class SweepKernel : public testing::TestWithParam<const SweepKernels*> {};

INSTANTIATE_TEST_SUITE_P(All, SweepKernel, testing::ValuesIn(simd::runnableSweepKernels()),
                         [](const auto& kernels) { return std::string(kernels.param->name); });

TEST_P(SweepKernel, samples_byTheFormula) {
    constexpr int kSourceSide = 37;
    std::mt19937 random(3);
    std::vector<std::uint32_t> halves(kSourceSide * kSourceSide);
    for (std::uint32_t& half : halves)
        half = 2 * (static_cast<std::uint32_t>(random()) % 32641) + (random() % 5 != 0 ? 1 : 0);
    std::vector<std::uint32_t> pairs(halves.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        pairs[i] = halves[i] | halves[std::min(i + 1, pairs.size() - 1)] << 16U;

    std::vector<float> depth = randomRow(random, -0.3F, 1);
    for (float& each : depth) each = std::max(each, 0.0F);
    depth[kMargin + 3] = 1e30F;  // so large that rounding removes the offset
    const std::vector<float> right = randomRow(random, -4, 45);
    const std::vector<float> down = randomRow(random, -4, 45);
    std::vector<float> forward = randomRow(random, 0.9F, 1.1F);
    forward[kMargin + 7] = 0;  // gives coordinates that are not finite
    std::vector<float> grey(depth.size(), 99);
    std::vector<float> shown(depth.size(), 99);
    std::vector<float> beside(depth.size(), 0);
    const auto at = [](auto& row) { return row.data() + kMargin; };
    GetParam()->warpRow({pairs.data(), kSourceSide}, {at(depth),
                                                      at(right),
                                                      at(down),
                                                      at(forward),
                                                      {0.5F, -0.25F, 0},
                                                      at(grey),
                                                      at(shown),
                                                      at(beside),
                                                      0,
                                                      kWidth});

    std::size_t inside = 0;
    for (std::size_t i = kMargin; i < kMargin + kWidth; ++i) {
        SCOPED_TRACE(i);
        const float scale = 1 / (forward[i] * depth[i] + 0);
        const float u = (right[i] * depth[i] + 0.5F) * scale;
        const float v = (down[i] * depth[i] - 0.25F) * scale;
        const bool within =
            depth[i] > 0 && u >= 0 && v >= 0 && u < kSourceSide - 1 && v < kSourceSide - 1;
        const auto half = [&](int x, int y) {
            return halves[static_cast<std::size_t>(y * kSourceSide + x)];
        };
        float expected = 0;
        bool inMask = false;
        if (within) {
            const int x = static_cast<int>(u);
            const int y = static_cast<int>(v);
            const float across = u - static_cast<float>(x);
            const float below = v - static_cast<float>(y);
            const auto value = [&](int dx, int dy) {
                return static_cast<float>(half(x + dx, y + dy) >> 1U);
            };
            const float top = value(0, 0) + across * (value(1, 0) - value(0, 0));
            const float bottom = value(0, 1) + across * (value(1, 1) - value(0, 1));
            expected = (top + below * (bottom - top)) / 128 - 128;
            inMask = (half(x + (across < 0.5F ? 0 : 1), y + (below < 0.5F ? 0 : 1)) & 1U) != 0;
            ++inside;
        }
        EXPECT_EQ(shown[i], within && inMask ? 1 : 0);
        EXPECT_EQ(beside[i], within && !inMask ? 1 : 0);
        EXPECT_FLOAT_EQ(grey[i], inMask ? expected : 0);
    }
    EXPECT_GT(inside, kWidth / 4);
}

TEST_P(SweepKernel, correlates_byTheFormula) {
    constexpr int kRadius = 2;
    constexpr int kRows = 2 * kRadius + 1;
    constexpr float kNoise = 4;
    std::mt19937 random(7);
    std::vector<std::vector<float>> reference, grey, shown;
    for (int row = 0; row < kRows + 1; ++row) {
        reference.push_back(randomRow(random, -128, 127));
        grey.push_back(randomRow(random, -128, 127));
        shown.push_back(randomRow(random, -1, 3));
        for (float& each : shown.back()) each = each > 0 ? 1 : 0;
        for (std::size_t i = 0; i < grey.back().size(); ++i)
            grey.back()[i] = shown.back()[i] * (grey.back()[i] + reference.back()[i]) / 2;
    }
    std::vector<std::vector<float>> sums(simd::kWindowSums, std::vector<float>(grey[0].size()));
    std::array<float*, simd::kWindowSums> columns{};
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = sums[i].data() + kMargin;
    const auto add = [&](int row, float sign) {
        const auto at = static_cast<std::size_t>(row);
        GetParam()->addRow(columns.data(), reference[at].data() + kMargin,
                           grey[at].data() + kMargin, shown[at].data() + kMargin, sign, 0, kWidth);
    };
    for (int row = 0; row <= kRows; ++row) add(row, 1);
    add(0, -1);  // leaves rows 1…kRows
    std::vector<float> best(grey[0].size(), -2);
    std::vector<float> second(best);
    const float* centre = shown[kRadius + 1].data() + kMargin;
    for (int twice = 0; twice < 2; ++twice)
        GetParam()->updateScores(columns.data(), centre, kRadius, 13, kNoise,
                                 {best.data() + kMargin, second.data() + kMargin}, 0, kWidth);

    std::size_t scored = 0;
    for (std::size_t x = kMargin; x < kMargin + kWidth; ++x) {
        SCOPED_TRACE(x);
        double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
        for (std::size_t row = 1; row <= kRows; ++row)
            for (std::size_t i = x - kRadius; i <= x + kRadius; ++i) {
                if (shown[row][i] == 0) continue;
                const double p = reference[row][i];
                const double q = grey[row][i];
                ++n;
                a += p, b += q, aa += p * p, bb += q * q, ab += p * q;
            }
        double expected = -2;
        if (shown[kRadius + 1][x] != 0 && n >= 13) {
            const double va = std::max(0.0, aa / n - a / n * a / n) + kNoise;
            const double vb = std::max(0.0, bb / n - b / n * b / n) + kNoise;
            expected = (ab / n - a / n * b / n) / std::sqrt(va * vb);
            ++scored;
        }
        EXPECT_NEAR(best[x], expected, 1e-4);
        EXPECT_NEAR(second[x], expected, 1e-4);  // the second update had the same score
    }
    EXPECT_GT(scored, kWidth / 4);
}

TEST_P(SweepKernel, advancesAlongAPath_byTheFormula) {
    std::mt19937 random(11);
    constexpr std::size_t kLabels = 3 * simd::kLabelLanes;
    constexpr std::size_t kGuard = simd::kLabelLanes;
    std::vector<std::int16_t> cost(kLabels), previous(kLabels + 2 * kGuard, 0x3FFF), next(previous),
        sum(kLabels, 5);
    for (std::int16_t& each : cost) each = static_cast<std::int16_t>(random() % 601);
    std::int16_t least = 0x3FFF;
    for (std::size_t k = 0; k < kLabels; ++k) {
        previous[kGuard + k] = static_cast<std::int16_t>(40 + random() % 700);
        least = std::min(least, previous[kGuard + k]);
    }
    const std::int16_t found =
        GetParam()->aggregatePathStep(cost.data(), previous.data() + kGuard, least, 12, 60,
                                      next.data() + kGuard, sum.data(), kLabels);
    std::int16_t smallest = 0x3FFF;
    for (std::size_t k = 0; k < kLabels; ++k) {
        const int through = std::min({int{previous[kGuard + k]}, previous[kGuard + k - 1] + 12,
                                      previous[kGuard + k + 1] + 12, least + 60});
        const int expected = cost[k] + through - least;
        EXPECT_EQ(next[kGuard + k], expected);
        EXPECT_EQ(sum[k], expected + 5);
        smallest = std::min(smallest, next[kGuard + k]);
    }
    EXPECT_EQ(found, smallest);
}

TEST(SweepKernels, giveTheSameBits) {
    std::mt19937 random(5);
    const std::vector<float> reference = randomRow(random, -128, 127);
    const std::vector<float> grey = randomRow(random, -128, 127);
    std::vector<float> shown = randomRow(random, -1, 3);
    for (float& each : shown) each = each > 0 ? 1 : 0;
    std::vector<std::vector<float>> results;
    for (const SweepKernels* kernels : simd::runnableSweepKernels()) {
        std::vector<std::vector<float>> sums(simd::kWindowSums, std::vector<float>(grey.size()));
        std::array<float*, simd::kWindowSums> columns{};
        for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = sums[i].data() + kMargin;
        kernels->addRow(columns.data(), reference.data() + kMargin, grey.data() + kMargin,
                        shown.data() + kMargin, 1, 0, kWidth);
        std::vector<float> best(grey.size(), -2);
        std::vector<float> second(best);
        kernels->updateScores(columns.data(), shown.data() + kMargin, 3, 3, 4,
                              {best.data() + kMargin, second.data() + kMargin}, 0, kWidth);
        results.push_back(best);
        EXPECT_EQ(results.back(), results.front()) << kernels->name;
    }
}

}  // namespace
}  // namespace threefold
