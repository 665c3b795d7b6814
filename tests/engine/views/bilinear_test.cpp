#include "engine/views/bilinear.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(BilinearCell, beginsAtACentre_whenThePositionIsThatCentre) {
    const BilinearCell cell = bilinearCell({2.5F, 1.5F}, 4);
    EXPECT_EQ(cell.corner, 6U);
    EXPECT_EQ(cell.fraction, glm::vec2(0, 0));
}

TEST(BilinearCell, hasThePositionBetweenItsCentres) {
    const BilinearCell cell = bilinearCell({1.75F, 3}, 4);
    EXPECT_EQ(cell.corner, 9U);
    EXPECT_EQ(cell.fraction, glm::vec2(0.25F, 0.5F));
}

TEST(BilinearCell, endsAtTheOutermostCentres_whenThePositionIsBeyond) {
    const BilinearCell before = bilinearCell({-7, 0.25F}, 4);
    EXPECT_EQ(before.corner, 0U);
    EXPECT_EQ(before.fraction, glm::vec2(0, 0));
    const BilinearCell behind = bilinearCell({4, 9}, 4);
    EXPECT_EQ(behind.corner, 10U);
    EXPECT_EQ(behind.fraction, glm::vec2(1, 1));
}

}  // namespace
}  // namespace threefold
