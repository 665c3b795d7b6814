#include "engine/stereo/start_prior.h"

#include <gtest/gtest.h>

namespace threefold::stereo {
namespace {

constexpr float kStartTruncation = 0.1F;

/// An inside point after addStartPrior().
struct FusedPoint {
    float distance;
    float weight;
    float unobserved;
};

FusedPoint withPrior(float distance, float weight, float start, bool keepsUnobserved = true) {
    const std::vector<float> starts{start};
    const std::vector<std::uint8_t> inside{1};
    FusedDistance fused{{distance}, {weight}};
    const std::vector<float> unobserved =
        addStartPrior({starts, kStartTruncation, keepsUnobserved}, inside, fused);
    return {fused.distance[0], fused.weight[0], unobserved.at(0)};
}

TEST(StartPrior, decidesAlone_whenThereAreNoVotes) {
    const FusedPoint point = withPrior(0, 0, 0.25F * kStartTruncation);
    EXPECT_FLOAT_EQ(point.distance, 0.25F);
    EXPECT_FLOAT_EQ(point.weight, 3);
    EXPECT_FLOAT_EQ(point.unobserved, 1);
}

TEST(StartPrior, isWeak_whenThereAreVotes) {
    const FusedPoint point = withPrior(0.5F, 1, 2 * kStartTruncation);
    EXPECT_FLOAT_EQ(point.distance, (0.5F + 0.15F) / 1.15F);
    EXPECT_FLOAT_EQ(point.weight, 1.15F);
    EXPECT_EQ(point.unobserved, 0);
}

TEST(StartPrior, isWeak_whenUnobservedPartsOfTheStartNeedNotStay) {
    const FusedPoint point = withPrior(0, 0, -kStartTruncation / 2, false);
    EXPECT_FLOAT_EQ(point.distance, -0.5F);
    EXPECT_FLOAT_EQ(point.weight, 0.15F);
    EXPECT_EQ(point.unobserved, 0);
}

TEST(StartPrior, keepsWeightsWithinTheirLimit) {
    EXPECT_EQ(withPrior(0.5F, 10, 0).weight, 6);
}

TEST(StartPrior, leavesOutsidePointsAsTheyAre) {
    const std::vector<float> starts{0};
    const std::vector<std::uint8_t> inside{0};
    FusedDistance fused{{0}, {0}};
    addStartPrior({starts, kStartTruncation, true}, inside, fused);
    EXPECT_EQ(fused.distance[0], 0);
    EXPECT_EQ(fused.weight[0], 0);
}

}  // namespace
}  // namespace threefold::stereo
