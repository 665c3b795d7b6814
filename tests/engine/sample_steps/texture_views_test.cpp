#include "engine/sample_steps/texture_views.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample/sample_views.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

Sample plane() {
    return findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                      "samples/ShapeNetRendering/02691156/p0001");
}

TEST(TextureViews, haveThePhotographsAndCamerasOfTheirViews) {
    const Sample sample = plane();
    std::vector<std::string> notes;
    const std::vector<TextureView> views = textureViews(sample, std::vector{6}, notes);
    ASSERT_EQ(views.size(), 1U);
    EXPECT_EQ(views[0].photograph->rgba, readViewPhoto(sample, 6).rgba);
    EXPECT_EQ(views[0].camera.centre, Camera::fromRow(sample.cameraRows[6]).centre);
    EXPECT_TRUE(views[0].mask);
    EXPECT_TRUE(notes.empty());
}

TEST(TextureViews, leaveOutViewsThatCannotBeRead_withANoteForEach) {
    Sample sample = plane();
    sample.images[3] = "missing.png";
    std::vector<std::string> notes;
    EXPECT_EQ(textureViews(sample, std::vector{0, 3, 999}, notes).size(), 1U);
    EXPECT_THAT(notes, ElementsAre(StartsWith("texture: without view 3: "),
                                   StartsWith("texture: without view 999: ")));
}

TEST(TextureViews, throwCancelled_whenCancelled) {
    std::stop_source stop;
    stop.request_stop();
    std::vector<std::string> notes;
    EXPECT_THROW(textureViews(plane(), std::vector{0}, notes, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold
