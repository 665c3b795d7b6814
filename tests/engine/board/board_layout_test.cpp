#include "engine/board/board_layout.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace threefold::test {
namespace {

using namespace board;

TEST(BoardLayout, keepsMarkersApart_andTheCentreFree) {
    for (int i = 0; i < kMarkerCount; ++i) {
        const glm::dvec2 centre = *markerCentre(kFirstMarkerId + i);
        EXPECT_TRUE(std::abs(centre.x) >= 65 + kMarkerSide / 2 ||
                    std::abs(centre.y) >= 97 + kMarkerSide / 2)
            << "the middle of 13 by 19 cm must be free";
        for (int j = 0; j < i; ++j)
            EXPECT_GE(glm::length(centre - *markerCentre(kFirstMarkerId + j)), kMarkerPitch - 1e-9);
    }
    EXPECT_FALSE(markerCentre(kFirstMarkerId - 1));
    EXPECT_FALSE(markerCentre(kFirstMarkerId + kMarkerCount));
}

}  // namespace
}  // namespace threefold::test
