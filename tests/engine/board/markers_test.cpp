#include "engine/board/markers.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/board/board_layout.h"
#include "engine/error.h"
#include "tests/engine/board/scene.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using namespace board;
using testing::HasSubstr;

Image grey(int width, int height) {
    return {width, height,
            std::vector<std::uint8_t>(
                4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 128)};
}

TEST(BoardMarkers, areNotSearched_inTinyPictures) {
    for (const auto& [width, height] : {std::pair(1, 1), {2, 2}, {31, 400}, {8000, 4}, {16384, 16}})
        EXPECT_THAT(
            messageOf<InputError>([&, w = width, h = height] { detectMarkers(grey(w, h)); }),
            HasSubstr(fmt::format("is {} × {} pixels", width, height)));
}

TEST(BoardMarkers, areNone_inNarrowStrips) {
    for (const auto& [width, height] : {std::pair(32, 32), {16384, 33}, {40, 16384}, {8000, 100}})
        EXPECT_THAT(detectMarkers(grey(width, height)), testing::IsEmpty()) << width;
}

TEST(BoardMarkers, areFound_atTheirTruePixels) {
    const Pose camera = BoardScene::cameras(3).front();
    const std::vector<Marker> markers = detectMarkers(BoardScene::photograph(camera, false));
    ASSERT_EQ(markers.size(), kMarkerCount);
    glm::dvec2 mean(0.0);
    for (const Marker& marker : markers)
        for (std::size_t k = 0; k < 4; ++k) {
            const glm::dvec3 corner(
                *markerCentre(marker.id) + kUnitMarkerCorners[k] * (kMarkerSide / 2), 0);
            const glm::dvec2 off = marker.corners[k] - BoardScene::pixelOf(camera, corner);
            EXPECT_LT(glm::length(off), 0.7) << marker.id;
            mean += off / (4.0 * kMarkerCount);
        }
    EXPECT_LT(glm::length(mean), 0.1) << "the first pixel's middle is at (0.5, 0.5)";
}

}  // namespace
}  // namespace threefold::test
