#include "engine/masks/contradicting_masks.h"

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/pictures/image.h"
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

/// Removes the right half of the disc from the photographs of a disc scene.
void halveDisc(const std::filesystem::path& scene, std::initializer_list<int> views) {
    for (const int view : views) {
        const auto file = scene / "images" / (std::to_string(view) + ".png");
        Image image = readImage(file);
        for (std::size_t i = 0; i < image.rgba.size(); ++i)
            if (i / 4 % static_cast<std::size_t>(image.width) * 2 >=
                static_cast<std::size_t>(image.width))
                image.rgba[i] = 255;
        writePng(file, image);
    }
}

TEST(MaskComparison, findsThatTheOtherMasksAgree_whenOneContradictsThem) {
    const TempFolder folder;
    writeDiscScene(folder.path(), 8);
    halveDisc(folder.path(), {3});
    const MaskComparison found = compareMasks(findSample(folder.path()), {});
    ASSERT_EQ(found.contradicting.size(), 1U);
    EXPECT_EQ(found.contradicting[0].view, 3);
    ASSERT_TRUE(found.overlap);
    EXPECT_GT(*found.overlap, 0.95);
    EXPECT_FALSE(found.disagreesAsAWhole());
}

TEST(MaskComparison, blamesNoSingleMask_whenAllDisagree) {
    const TempFolder folder;
    nlohmann::json scene = writeDiscScene(folder.path(), 8);
    halveDisc(folder.path(), {0, 1, 2, 3});
    scene["object_centre"] = {0, 0, 0};
    scene["object_size"] = 1.2;
    writeJson(folder.path() / "transforms.json", scene);
    const MaskComparison found = compareMasks(findSample(folder.path()), {});
    EXPECT_THAT(found.contradicting, testing::IsEmpty());
    ASSERT_TRUE(found.overlap);
    EXPECT_LT(*found.overlap, 0.8);
    EXPECT_TRUE(found.disagreesAsAWhole());
}

}  // namespace
}  // namespace threefold::test
