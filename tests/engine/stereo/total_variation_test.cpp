#include "engine/stereo/total_variation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold::stereo {
namespace {

/// A box of odd sizes, in which some points are left out.
struct Box {
    Box() {
        grid.spacing = 0.1;
        grid.size = {9, 11, 7};
        std::mt19937 random(2);
        for (int x = 0; x < grid.size.x; ++x)
            for (int y = 0; y < grid.size.y; ++y)
                for (int z = 0; z < grid.size.z; ++z) {
                    const bool border = x == 0 || y == 0 || z == 0 || x == 8 || y == 10 || z == 6;
                    inside.push_back(!border && random() % 7 != 0 ? 1 : 0);
                    target.push_back((x > 4 ? 1.0F : -1.0F) +
                                     static_cast<float>(random() % 1000) / 1000 - 0.5F);
                    weight.push_back(static_cast<float>(random() % 100) / 50);
                }
    }

    TotalVariationProblem problem() const { return {grid, inside, target, weight, 0.3F}; }

    double energy(const std::vector<float>& u) const {
        double sum = 0;
        for (int x = 0; x < grid.size.x; ++x)
            for (int y = 0; y < grid.size.y; ++y)
                for (int z = 0; z < grid.size.z; ++z) {
                    const std::size_t at = grid.index({x, y, z});
                    if (inside[at] == 0) continue;
                    double squares = 0;
                    for (const glm::ivec3 next : {glm::ivec3(x + 1, y, z), glm::ivec3(x, y + 1, z),
                                                  glm::ivec3(x, y, z + 1)}) {
                        const std::size_t to = grid.index(next);
                        if (inside[to] == 0) continue;
                        squares += std::pow(double(u[to]) - double(u[at]), 2);
                    }
                    const double residual = double(u[at]) - double(target[at]);
                    sum +=
                        0.3 * std::sqrt(squares) + 0.5 * double(weight[at]) * residual * residual;
                }
        return sum;
    }

    VoxelGrid grid;
    std::vector<std::uint8_t> inside;
    std::vector<float> target;
    std::vector<float> weight;
};

TEST(TotalVariation, isMinimal_againstAnyChangeOfOneValue) {
    const Box box;
    const std::vector<float> u = minimiseTotalVariation(box.problem(), 3000, 1, {});
    const double min = box.energy(u);
    EXPECT_LT(min, 0.8 * box.energy(box.target));
    for (std::size_t at = 0; at < u.size(); ++at)
        for (const float change : {-0.05F, 0.05F}) {
            if (box.inside[at] == 0) continue;
            std::vector<float> other = u;
            other[at] += change;
            EXPECT_GT(box.energy(other), min - 1e-4);
        }
}

TEST(TotalVariation, converges_inTheStepsOfTheFusion) {
    const Box box;
    const double min = box.energy(minimiseTotalVariation(box.problem(), 3000, 1, {}));
    EXPECT_LT(box.energy(minimiseTotalVariation(box.problem(), 120, 1, {})), 1.01 * min);
}

TEST(TotalVariation, isTheSame_withAnyNumberOfThreads) {
    const Box box;
    EXPECT_EQ(minimiseTotalVariation(box.problem(), 50, 1, {}),
              minimiseTotalVariation(box.problem(), 50, 3, {}));
}

TEST(TotalVariation, isZeroOutside) {
    const Box box;
    const std::vector<float> u = minimiseTotalVariation(box.problem(), 10, 1, {});
    for (std::size_t at = 0; at < u.size(); ++at) EXPECT_TRUE(box.inside[at] != 0 || u[at] == 0);
}

TEST(TotalVariation, ends_whenCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(minimiseTotalVariation(Box().problem(), 50, 1, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold::stereo
