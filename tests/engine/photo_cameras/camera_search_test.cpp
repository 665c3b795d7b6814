#include "engine/photo_cameras/camera_search.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(RemarksOf, namesProblemsAndMasks_byPhotograph) {
    const std::vector<CameraPhotograph> photographs = {
        {"a.jpg", "no camera", "", ""},
        {"b.jpg", "", "", ""},
        {"c.jpg", "", "doubtful mask", "no mask"},
    };
    EXPECT_THAT(remarksOf(photographs),
                testing::ElementsAre("no camera", "no mask", "doubtful mask"));
}

}  // namespace
}  // namespace threefold::test
