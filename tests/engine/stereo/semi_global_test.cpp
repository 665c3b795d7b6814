#include "engine/stereo/semi_global.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::stereo {
namespace {

/// Random costs, some of them impossible, and search depths with holes and a step.
struct Problem {
    CostVolume volume;
    std::vector<float> searchDepths;
};

Problem randomProblem(int side, int labels) {
    Problem problem;
    std::mt19937 random(17);
    CostVolume& volume = problem.volume;
    volume.side = side;
    volume.labelCount = labels;
    volume.stride = static_cast<std::size_t>((labels + 31) / 32 * 32);
    std::int32_t count = 0;
    for (int i = 0; i < side * side; ++i) {
        const bool hole = i % 11 == 3;
        problem.searchDepths.push_back(hole ? 0.0F : i % side > side / 2 ? 2.0F : 1.0F);
        volume.costRowOfPixel.push_back(hole ? -1 : count++);
        if (hole) continue;
        for (std::size_t k = 0; k < volume.stride; ++k)
            volume.cost.push_back(k >= static_cast<std::size_t>(labels) || random() % 9 == 0
                                      ? CostVolume::kImpossible
                                      : static_cast<std::int16_t>(random() % 255));
    }
    return problem;
}

constexpr double kMaxSearchDepthStep = 0.5;

/// Costs of all labels at a pixel along the path of direction (dx, dy), computed by the recursive
/// definition.
std::vector<int> pathCosts(const Problem& problem, int x, int y, int dx, int dy,
                           const SmoothnessOptions& options) {
    const CostVolume& volume = problem.volume;
    const auto pixel = [&](int column, int row) {
        return static_cast<std::size_t>(row * volume.side + column);
    };
    std::vector<int> costs;
    for (int k = 0; k < volume.labelCount; ++k)
        costs.push_back(volume.cost[static_cast<std::size_t>(volume.costRowOfPixel[pixel(x, y)]) *
                                        volume.stride +
                                    static_cast<std::size_t>(k)]);
    const int px = x - dx;
    const int py = y - dy;
    if (px < 0 || py < 0 || px >= volume.side || py >= volume.side) return costs;
    if (volume.costRowOfPixel[pixel(px, py)] < 0) return costs;
    const std::vector<int> before = pathCosts(problem, px, py, dx, dy, options);
    const int minCost = *std::ranges::min_element(before);
    const bool jumps = std::abs(problem.searchDepths[pixel(x, y)] -
                                problem.searchDepths[pixel(px, py)]) > kMaxSearchDepthStep;
    const int p2 = jumps ? options.p2 / 4 : options.p2;
    const int p1 = std::min(options.p1, p2);
    for (int k = 0; k < volume.labelCount; ++k) {
        const auto at = static_cast<std::size_t>(k);
        int through = std::min(before[at], minCost + p2);
        if (k > 0) through = std::min(through, before[at - 1] + p1);
        if (k + 1 < volume.labelCount) through = std::min(through, before[at + 1] + p1);
        costs[at] += through - minCost;
    }
    return costs;
}

TEST(SemiGlobal, choosesByTheSumOfEightPaths) {
    const Problem problem = randomProblem(13, 17);
    const SmoothnessOptions options{.p1 = 12, .p2 = 60};
    for (const simd::SweepKernels* kernels : simd::runnableSweepKernels()) {
        const Labelling found = semiGlobalMatching(problem.volume, problem.searchDepths,
                                                   kMaxSearchDepthStep, options, *kernels);
        for (int y = 0; y < problem.volume.side; ++y)
            for (int x = 0; x < problem.volume.side; ++x) {
                const auto pixel = static_cast<std::size_t>(y * problem.volume.side + x);
                if (problem.volume.costRowOfPixel[pixel] < 0) {
                    EXPECT_EQ(found.label[pixel], -1);
                    continue;
                }
                std::vector<int> sums(static_cast<std::size_t>(problem.volume.labelCount));
                for (int dx = -1; dx <= 1; ++dx)
                    for (int dy = -1; dy <= 1; ++dy) {
                        if (dx == 0 && dy == 0) continue;
                        const std::vector<int> path = pathCosts(problem, x, y, dx, dy, options);
                        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += path[k];
                    }
                const std::size_t at =
                    static_cast<std::size_t>(problem.volume.costRowOfPixel[pixel]) *
                    problem.volume.stride;
                int best = -1;
                for (int k = 0; k < problem.volume.labelCount; ++k)
                    if (problem.volume.cost[at + static_cast<std::size_t>(k)] !=
                            CostVolume::kImpossible &&
                        (best < 0 ||
                         sums[static_cast<std::size_t>(k)] < sums[static_cast<std::size_t>(best)]))
                        best = k;
                EXPECT_NEAR(found.label[pixel], best, 0.5) << x << ", " << y;
                EXPECT_FLOAT_EQ(found.score[pixel],
                                1 - static_cast<float>(
                                        problem.volume.cost[at + static_cast<std::size_t>(best)]) /
                                        254);
                EXPECT_GE(found.margin[pixel], 0);
            }
    }
}

TEST(SemiGlobal, choosesNoLabel_whenAllAreImpossible) {
    Problem problem = randomProblem(5, 9);
    std::ranges::fill(problem.volume.cost, CostVolume::kImpossible);
    const Labelling found =
        semiGlobalMatching(problem.volume, problem.searchDepths, kMaxSearchDepthStep, {},
                           *simd::runnableSweepKernels().front());
    for (const float label : found.label) EXPECT_EQ(label, -1);
}

}  // namespace
}  // namespace threefold::stereo
