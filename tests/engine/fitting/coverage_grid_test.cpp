#include "engine/fitting/outline.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace threefold::fitting {
namespace {

/// A rectangle in coordinates of the 224×224 projection, as a mask of side×side pixels.
Mask rectangle(int side, double left, double top, double right, double bottom) {
    Mask mask{side, side, {}};
    const double pixel = 224.0 / side;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const double u = pixel * (x + 0.5);
            const double v = pixel * (y + 0.5);
            mask.inside.push_back(u > left && u < right && v > top && v < bottom ? 1 : 0);
        }
    }
    return mask;
}

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(CoverageGrid, equalsTheMask_whenSmall) {
    for (const int side : {60, 137, 224}) {
        const Mask mask = rectangle(side, 20, 30, 170, 200);
        const CoverageGrid grid(mask);
        EXPECT_EQ(grid.side(), side);
        EXPECT_EQ(grid.samplesPerSide(), 1);
        EXPECT_TRUE(std::ranges::equal(grid.coverage(), mask.inside));
        const std::vector<float> same = grid.difference(mask);
        EXPECT_TRUE(std::ranges::all_of(same, [](float each) { return each == 0; }));
    }
}

TEST(CoverageGrid, keepsTheArea_whateverTheResolution) {
    const double area = 150.5 * 170.25;
    for (const int side : {225, 300, 448, 555, 1024}) {
        const Mask mask = rectangle(side, 20.25, 30, 170.75, 200.25);
        const CoverageGrid grid(mask);
        EXPECT_EQ(grid.side(), 224);
        const double cell = grid.cellSize() * grid.cellSize();
        const double expected =
            sum({mask.inside.begin(), mask.inside.end()}) * 224 * 224 / side / side;
        EXPECT_NEAR(sum(grid.coverage()) * cell / 4, expected, 1e-3 * area);
        // difference() takes a drawn silhouette with a pixel for each cell or for each sample.
        for (const int drawn : {224, 448}) {
            const Mask none{drawn, drawn,
                            std::vector<std::uint8_t>(static_cast<std::size_t>(drawn * drawn))};
            EXPECT_NEAR(sum(grid.difference(none)) * cell, expected, 1e-3 * area);
            EXPECT_NEAR(sum(grid.difference(rectangle(drawn, 20.25, 30, 170.75, 200.25))) * cell, 0,
                        0.02 * area);
        }
    }
}

TEST(CoverageGrid, isUnknown_whereTheMaskIsUnknown) {
    for (const int side : {137, 700}) {
        Mask mask = rectangle(side, 20, 30, 170, 200);
        mask.known = rectangle(side, 0, 0, 112, 224).inside;
        for (std::size_t i = 0; i < mask.inside.size(); ++i) mask.inside[i] &= mask.known[i];
        const CoverageGrid grid(mask);
        EXPECT_TRUE(grid.isKnown({0.4F * static_cast<float>(grid.side()), 3}));
        EXPECT_FALSE(grid.isKnown({0.6F * static_cast<float>(grid.side()), 3}));
        for (const int drawn : {grid.side(), grid.side() * grid.samplesPerSide()}) {
            const std::vector<float> less = grid.difference(rectangle(drawn, 0, 0, 224, 224));
            for (int y = 0; y < grid.side(); ++y) {
                const float* row = less.data() + y * grid.side();
                EXPECT_EQ(row[grid.side() * 3 / 4], 0);
            }
            EXPECT_LT(sum(less), 0);
        }
    }
}

}  // namespace
}  // namespace threefold::fitting
