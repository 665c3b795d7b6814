#include "engine/photo_cameras/photo_masks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/formats/pictures/image.h"
#include "engine/photo_cameras/camera_search.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

/// Picture in which only the left half is opaque.
Image halfPicture(int width, int height) {
    Image picture{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const std::uint8_t channel : {std::uint8_t{90}, std::uint8_t{90}, std::uint8_t{90},
                                               x < width / 2 ? std::uint8_t{255} : std::uint8_t{0}})
                picture.rgba.push_back(channel);
    return picture;
}

TEST(ReadObjectMasks, halvesTheMask_whenThePhotoIsTwiceTooLarge) {
    const test::TempFolder folder;
    CameraPhoto photograph{.file = folder / "1.png"};
    writePng(photograph.file, halfPicture(1280, 100));
    const std::vector<CameraPhoto*> photographs = {&photograph};
    const std::vector<std::optional<Mask>> masks = readObjectMasks(photographs, {});
    ASSERT_EQ(masks.size(), 1U);
    ASSERT_TRUE(masks[0]);
    EXPECT_EQ(masks[0]->width, 640);
    EXPECT_EQ(masks[0]->height, 50);
    EXPECT_EQ(std::ranges::count(masks[0]->inside, 1), 640 * 50 / 2);
    EXPECT_EQ(photograph.maskError, "");
}

TEST(PhotographMask, keepsItsFirstError_whenThePhotographCannotBeRead) {
    const test::TempFolder folder;
    CameraPhoto first{.file = folder / "1.png", .maskError = "not cut out"};
    CameraPhoto second{.file = folder / "2.png"};
    const std::vector<CameraPhoto*> photographs = {&first, &second};
    const std::vector<std::optional<Mask>> masks = readObjectMasks(photographs, {});
    EXPECT_EQ(first.maskError, "not cut out");
    EXPECT_NE(second.maskError.find("2.png"), std::string::npos);
    EXPECT_FALSE(masks[0] || masks[1]);
}

TEST(ProgressCallbacks, namesProblemsOnly) {
    std::vector<std::string> problems;
    const ProgressCallbacks callbacks{
        .onUnreportedProblem = [&](const std::string& text) { problems.push_back(text); }};
    for (const char* problem : {"", "dark", ""}) callbacks.reportProblem(problem);
    ProgressCallbacks{}.reportProblem("nobody listens");
    EXPECT_EQ(problems, std::vector<std::string>{"dark"});
}

}  // namespace
}  // namespace threefold
