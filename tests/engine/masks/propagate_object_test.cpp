#include "engine/masks/propagate_object.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cutout/seeded_cutout.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/masks/mask_files.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

constexpr double kBallRadius = 21;  // pixels; the ball is in the middle of pictures of 100 pixels

bool inBall(int x, int y) {
    return std::hypot(x + 0.5 - 50, y + 0.5 - 50) < kBallRadius;
}

/// Eight posed photographs of a grey ball in front of a noisy wall. Each also shows a smaller disc
/// of the ball's colour, at positions that no point in space explains.
class PropagateObject : public testing::Test {
  protected:
    PropagateObject() {
        writeDiscScene(folder_.path(), 8);
        std::mt19937 random(3);
        std::normal_distribution<double> noise(0, 4);
        for (int view = 0; view < 8; ++view) {
            Image image = readImage(photograph(view));
            const double angle = view;
            for (int y = 0; y < image.height; ++y)
                for (int x = 0; x < image.width; ++x) {
                    const bool isOther = std::hypot(x - 50 - 38 * std::cos(angle),
                                                    y - 50 - 38 * std::sin(angle)) < 7;
                    const bool isGrey = isOther || inBall(x, y);
                    const double colour[] = {isGrey ? 90.0 : 220.0, isGrey ? 90.0 : 140.0,
                                             isGrey ? 90.0 : 40.0};
                    for (std::size_t c = 0; c < 3; ++c)
                        image.rgba[4 * static_cast<std::size_t>(y * image.width + x) + c] =
                            static_cast<std::uint8_t>(
                                std::clamp(colour[c] + noise(random), 0.0, 255.0));
                }
            writePng(photograph(view), image);
        }
    }

    void SetUp() override {
        if (!canCutOut()) GTEST_SKIP() << "built without OpenCV";
    }

    std::filesystem::path photograph(int view) const {
        return folder_ / "images" / (std::to_string(view) + ".png");
    }

    static double overlapWithBall(const Image& mask) {
        int both = 0;
        int either = 0;
        for (int y = 0; y < mask.height; ++y)
            for (int x = 0; x < mask.width; ++x) {
                const bool inside =
                    mask.rgba[4 * static_cast<std::size_t>(y * mask.width + x)] > 127;
                both += inside && inBall(x, y) ? 1 : 0;
                either += inside || inBall(x, y) ? 1 : 0;
            }
        return static_cast<double>(both) / either;
    }

    TempFolder folder_;
};

TEST_F(PropagateObject, findsTheObjectInAllPhotographs_fromABoxInOne) {
    const std::vector<PropagatedMask> masks =
        propagateObject(folder_.path(), {photograph(2), {50, 50}, glm::dvec2(46, 46)}, {});
    ASSERT_EQ(masks.size(), 8U);
    EXPECT_EQ(masks.front().view, 2);
    for (const PropagatedMask& each : masks) {
        ASSERT_TRUE(each.mask) << each.problem;
        EXPECT_GT(overlapWithBall(*each.mask), 0.93) << each.view;
    }
}

TEST_F(PropagateObject, findsTheObjectInAllPhotographs_fromAPointInOne) {
    for (const PropagatedMask& each :
         propagateObject(folder_.path(), {photograph(5), {47, 52}, {}}, {})) {
        ASSERT_TRUE(each.mask) << each.problem;
        EXPECT_GT(overlapWithBall(*each.mask), 0.9) << each.view;
    }
}

TEST_F(PropagateObject, writesItsMasks_whenNoCallbackIsGiven) {
    const std::vector<MaskFile> files =
        writePropagatedMasks(folder_.path(), {photograph(2), {50, 50}, glm::dvec2(46, 46)}, {}, {});
    ASSERT_EQ(files.size(), 8U);
    for (const MaskFile& file : files) EXPECT_TRUE(isFile(file.cutout.mask)) << file.cutout.error;
}

TEST_F(PropagateObject, reportsItsProgress_afterEachPhotograph) {
    std::vector<std::size_t> done;
    const auto report = [&done](const char*, std::size_t each, std::size_t count) {
        EXPECT_EQ(count, 8U);
        done.push_back(each);
    };
    propagateObject(folder_.path(), {photograph(2), {50, 50}, glm::dvec2(46, 46)}, {}, report);
    EXPECT_THAT(done, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST_F(PropagateObject, writesNoMask_whenCancelledBeforeTheLastPhotograph) {
    std::stop_source stop;
    const auto stopNearTheEnd = [&stop](const char*, std::size_t done, std::size_t count) {
        if (done + 1 == count) stop.request_stop();
    };
    EXPECT_THROW(writePropagatedMasks(folder_.path(), {photograph(2), {50, 50}, glm::dvec2(46, 46)},
                                      {}, stop.get_token(), stopNearTheEnd),
                 Cancelled);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "masks"));
}

TEST_F(PropagateObject, isRefused_whenTheHintIsOutsideOrThePhotographUnknown) {
    EXPECT_THROW(propagateObject(folder_.path(), {photograph(2), {150, 50}, {}}, {}), InputError);
    EXPECT_THROW(propagateObject(folder_.path(), {folder_ / "other.png", {50, 50}, {}}, {}),
                 InputError);
}

}  // namespace
}  // namespace threefold::test
