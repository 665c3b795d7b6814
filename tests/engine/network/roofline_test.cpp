#include "engine/network/roofline.h"

#include <gtest/gtest.h>

#include "tests/engine/network/golden_case.h"

namespace threefold {
namespace {

TEST(MultiplyAddFlop, matchesMethodSection8_whenThereAreThreeViews) {
    const auto model = test::goldenModel(test::goldenCases()[0]);
    const auto gigaflop = [&](Stage stage) { return multiplyAddFlop(*model, stage, 3) * 1e-9; };
    EXPECT_NEAR(gigaflop(Stage::cnn1), 11.4, 0.1);
    EXPECT_NEAR(gigaflop(Stage::cnn2), 4.3, 0.1);
    // 181 for the products of both blocks, and their Laplacians.
    EXPECT_NEAR(gigaflop(Stage::block1) + gigaflop(Stage::block2), 183, 3);
    EXPECT_EQ(multiplyAddFlop(*model, Stage::block1, 8), multiplyAddFlop(*model, Stage::block1, 3));
    EXPECT_EQ(multiplyAddFlop(*model, Stage::preprocess, 3), 0.0);
}

TEST(MeasureProductRate, isPositive_whenMeasuredOnce) {
    const ProductRate rate = measureProductRate(0, 1);
    EXPECT_GT(rate.secondsPerProduct, 0.0);
    EXPECT_GT(rate.gigaflops, 0.0);
}

}  // namespace
}  // namespace threefold
