#include "engine/network/roofline.h"

#include <vector>

#include <gtest/gtest.h>

#include "engine/system/processor.h"
#include "tests/support/models.h"

namespace threefold {
namespace {

TEST(MultiplyAddFlop, matchesMethodSection8_whenThereAreThreeViews) {
    const std::shared_ptr<const Model>& model = test::testModel();
    const auto gigaflop = [&](RunStep step) { return minimumFlop(*model, step, 3) * 1e-9; };
    EXPECT_NEAR(gigaflop(RunStep::cnn1), 11.4, 0.1);
    EXPECT_NEAR(gigaflop(RunStep::cnn2), 4.3, 0.1);
    // The products of both blocks need 181 gigaflop, the Laplacians of the blocks the rest.
    EXPECT_NEAR(gigaflop(RunStep::block1) + gigaflop(RunStep::block2), 183, 3);
    EXPECT_EQ(minimumFlop(*model, RunStep::block1, 8), minimumFlop(*model, RunStep::block1, 3));
    EXPECT_EQ(minimumFlop(*model, RunStep::preprocess, 3), 0.0);
}

TEST(BlockGflopPerSecond, isMeasuredInEveryPrecisionOfTheProcessor) {
    std::vector<Precision> precisions{Precision::float32};
    if (processorHasBfloat16()) precisions.push_back(Precision::bfloat16);
    if (processorHasVnni()) precisions.push_back(Precision::int8);
    for (const Precision precision : precisions)
        EXPECT_GT(measureBlockGflopPerSecond(precision), 0.1) << precisionName(precision);
}

TEST(MinimumTrafficBytes, countsWeightsMapsAndVertices_whenThereAreThreeViews) {
    const std::shared_ptr<const Model>& model = test::testModel();
    const auto bytes = [&](RunStep step, std::size_t views, std::size_t width) {
        return minimumTrafficBytes(*model, step, views, width);
    };
    EXPECT_EQ(bytes(RunStep::load, 3, 4), 0);
    EXPECT_EQ(bytes(RunStep::preprocess, 3, 4), 3.0 * 224 * 224 * (4 + 3 * 4));
    // Nearly all traffic of a block is reading maps of 16, 32 and 64 channels with sides of 224,
    // 112 and 56 pixels.
    const double maps = 3.0 * (16 * 224 * 224 + 32 * 112 * 112 + 64 * 56 * 56) * 2;
    EXPECT_NEAR(bytes(RunStep::block1, 3, 2), maps, 0.15 * maps);
    EXPECT_GT(bytes(RunStep::block1, 3, 2), maps);
    // The 13 million weights of cnn1's 18 layers outweigh cnn2's larger maps.
    EXPECT_GT(bytes(RunStep::cnn1, 3, 4), bytes(RunStep::cnn2, 3, 4));
    for (const RunStep step : {RunStep::cnn1, RunStep::project1, RunStep::block2})
        EXPECT_GT(bytes(step, 4, 4), bytes(step, 3, 4));
    for (const RunStep step :
         {RunStep::cnn1, RunStep::project1, RunStep::graph1, RunStep::graph3, RunStep::block2})
        EXPECT_GT(bytes(step, 3, 4), bytes(step, 3, 2));
    // Only the projection reads the maps of stage 1, for three levels.
    const double maps1 = 3.0 * (64 * 56 * 56 + 128 * 28 * 28 + 256 * 14 * 14 + 512 * 7 * 7);
    const double features = (156 + 618 + 2466) * 2883.0;
    EXPECT_EQ(bytes(RunStep::project1, 3, 2),
              2 * (3 * maps1 + features) + (156 + 618 + 2466) * 12.0);
    EXPECT_EQ(bytes(RunStep::graph1, 8, 4), bytes(RunStep::graph1, 3, 4));
    EXPECT_EQ(bytes(RunStep::project2, 3, 4), 0) << "counted with the blocks";
}

TEST(MeasureProductRate, isPositive_whenMeasuredOnce) {
    EXPECT_GT(measureGflopPerSecond(0, 1), 0.0);
}

}  // namespace
}  // namespace threefold
