#include "engine/network/cnn.h"

#include <cmath>
#include <cstddef>
#include <stop_token>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/model/architecture.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

/// The convolutions of stage 2 of the test model, on blank images.
class SecondCnn : public testing::Test {
  protected:
    std::vector<FeatureMap> run(std::size_t views) {
        const std::vector<float> images(views * kInputSide * kInputSide * 3, 0.25F);
        return cnn_.run(images.data(), views, cancel_.get_token(),
                        [this](float fraction) { fractions_.push_back(fraction); });
    }
    static std::vector<float> valuesOf(const FeatureMap& map, std::size_t views) {
        const float* const values = std::get<const float*>(map.values);
        return {values, values + views * map.side * map.side * map.channels};
    }

    std::stop_source cancel_;
    std::vector<float> fractions_;

  private:
    Cnn cnn_{*testModel(), "stage2.cnn", kStage2LayerCount, 0, kStage2TapCount};
};

TEST_F(SecondCnn, hasAMapForEachTap_andReportsEachLayer) {
    const std::vector<FeatureMap> maps = run(1);
    ASSERT_EQ(maps.size(), kStage2TapCount);
    std::size_t side = kInputSide;
    for (std::size_t tap = 0; tap < maps.size(); ++tap, side /= 2) {
        EXPECT_EQ(maps[tap].channels, tapChannels(tap));
        EXPECT_EQ(maps[tap].side, side);
    }
    std::vector<float> expected;
    for (std::size_t layer = 1; layer <= kStage2LayerCount; ++layer)
        expected.push_back(static_cast<float>(layer) / kStage2LayerCount);
    EXPECT_EQ(fractions_, expected);
}

TEST_F(SecondCnn, givesEachViewItsMap_whenTheNumberOfViewsChanges) {
    const std::vector<float> one = valuesOf(run(1).back(), 1);
    const std::vector<float> two = valuesOf(run(2).back(), 2);
    ASSERT_EQ(two.size(), 2 * one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        const float tolerance = 1e-4F * (1 + std::abs(one[i]));
        ASSERT_NEAR(two[i], one[i], tolerance) << i;
        ASSERT_NEAR(two[one.size() + i], one[i], tolerance) << i;
    }
}

TEST_F(SecondCnn, ends_whenCancelled) {
    cancel_.request_stop();
    EXPECT_THROW(run(1), Cancelled);
}

}  // namespace
}  // namespace threefold::test
