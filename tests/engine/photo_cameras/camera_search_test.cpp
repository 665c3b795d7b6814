#include "engine/photo_cameras/camera_search.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(ProblemsAndWarningsOf, namesProblemsErrorsAndWarnings_byPhotograph) {
    const std::vector<CameraPhoto> photographs = {
        {"a.jpg", "no camera", "", ""},
        {"b.jpg", "", "", ""},
        {"c.jpg", "", "doubtful mask", "no mask"},
    };
    EXPECT_THAT(problemsAndWarningsOf(photographs),
                testing::ElementsAre("no camera", "no mask", "doubtful mask"));
}

}  // namespace
}  // namespace threefold::test
