#include "engine/masks/contradicting_masks.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

/// A sample with too few photographs for a comparison of masks.
class TooFewMasks : public testing::Test {
  protected:
    TooFewMasks() {
        writeDiscScene(folder_.path());
        sample_ = findSample(folder_.path());
    }

    TempFolder folder_;
    Sample sample_;
};

TEST_F(TooFewMasks, areNotJudged) {
    EXPECT_THAT(findContradictingMasks(sample_, {}), testing::IsEmpty());
    EXPECT_THAT(repairContradictingMasks(sample_, {}), testing::IsEmpty());
}

TEST_F(TooFewMasks, stayAsLoaded) {
    const auto views = std::make_shared<const std::vector<MaskedView>>(3);
    const RepairedViews repaired = withRepairedMasks(sample_, views, 1, {});
    EXPECT_EQ(repaired.views, views);
    EXPECT_THAT(repaired.notes, testing::IsEmpty());
}

}  // namespace
}  // namespace threefold::test
