#include "engine/views/network_input.h"

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

NetworkInput inputOf(std::size_t views) {
    NetworkInput input;
    input.images.assign(views, Image{1, 1, std::vector<std::uint8_t>(4)});
    input.cameras.assign(views, Camera::fromRow({30, 20, 0, 0.8, 25}));
    return input;
}

std::string refusal(const NetworkInput& input) {
    return test::messageOf<InputError>([&] { requireValidInput(input); });
}

TEST(RequireValidInput, accepts_whenThereAreTwoToEightViews) {
    for (std::size_t views = 2; views <= 8; ++views)
        EXPECT_NO_THROW(requireValidInput(inputOf(views)));
}

TEST(RequireValidInput, namesTheRange_whenViewsAreTooFewOrTooMany) {
    for (std::size_t views : {0u, 1u, 9u})
        EXPECT_NE(refusal(inputOf(views)).find("Choose 2 to 8 views."), std::string::npos);
}

TEST(RequireValidInput, countsBoth_whenACameraIsMissing) {
    NetworkInput input = inputOf(3);
    input.cameras.pop_back();
    EXPECT_NE(refusal(input).find("3 images but 2 cameras"), std::string::npos);
}

TEST(RequireValidInput, namesTheView_whenItsImageIsIncomplete) {
    NetworkInput input = inputOf(3);
    input.images[1].height = 2;
    EXPECT_NE(refusal(input).find("view 2 of 3"), std::string::npos);
    input.images[1] = Image{};
    EXPECT_NE(refusal(input).find("view 2 of 3"), std::string::npos);
}

TEST(RequireValidInput, namesTheView_whenItsCameraIsNotFinite) {
    NetworkInput input = inputOf(2);
    input.cameras[1].rotation[2][0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal(input).find("view 2 of 2"), std::string::npos);
    input = inputOf(2);
    input.cameras[0].centre.y = std::numeric_limits<double>::infinity();
    EXPECT_NE(refusal(input).find("view 1 of 2"), std::string::npos);
}

TEST(RequireValidInput, namesTheView_whenItsCameraHasNoZoom) {
    for (const double zoom : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        NetworkInput input = inputOf(2);
        input.cameras[1].zoom = zoom;
        EXPECT_NE(refusal(input).find("view 2 of 2"), std::string::npos) << zoom;
    }
}

TEST(RequireValidInput, refusesADepthOffset_thatIsNotFinite) {
    NetworkInput input = inputOf(2);
    input.depthOffset = std::numeric_limits<double>::infinity();
    EXPECT_NE(refusal(input).find("depth offset"), std::string::npos);
}

}  // namespace
}  // namespace threefold
