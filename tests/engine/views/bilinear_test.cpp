#include "engine/views/bilinear.h"

#include <array>
#include <cstddef>

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
    const BilinearCell beyond = bilinearCell({4, 9}, 4);
    EXPECT_EQ(beyond.corner, 10U);
    EXPECT_EQ(beyond.fraction, glm::vec2(1, 1));
}

TEST(BilinearSample, isTheValueAndSlope_ofAPlane) {
    float plane[9];
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) plane[3 * y + x] = static_cast<float>(4 * x - 2 * y);
    const BilinearSample sample = interpolated(plane, 3, bilinearCell({1.75F, 2.25F}, 3));
    EXPECT_EQ(sample.value, 4 * 1.25F - 2 * 1.75F);
    EXPECT_EQ(sample.gradient, glm::vec2(4, -2));
}

TEST(BilinearSample, weighsAllFourPixels) {
    const float field[] = {0, 1, 2, 7};
    const BilinearSample sample = interpolated(field, 2, {0, {0.5F, 0.25F}});
    EXPECT_EQ(sample.value, 0.75F * 0.5F + 0.25F * 4.5F);
    EXPECT_EQ(sample.gradient, glm::vec2(0.75F * 1 + 0.25F * 5, 4));
}

TEST(PictureCell, hasItsCornersRowByRow) {
    const PictureCell cell = pictureCell({1.75, 1.0}, 5, 3);
    EXPECT_EQ(cell.pixels, (std::array<std::size_t, 4>{1, 2, 6, 7}));
    EXPECT_EQ(cell.fraction, glm::dvec2(0.25, 0.5));
}

TEST(PictureCell, repeatsTheBorder_whenThePositionIsBeyond) {
    const PictureCell beyond = pictureCell({9, 7}, 5, 3);
    EXPECT_EQ(beyond.pixels, (std::array<std::size_t, 4>{14, 14, 14, 14}));
    EXPECT_EQ(beyond.fraction, glm::dvec2(0, 0));
    EXPECT_EQ(pictureCell({-2, -2}, 5, 3).pixels, (std::array<std::size_t, 4>{0, 1, 5, 6}));
    EXPECT_EQ(pictureCell({0.7, 0.9}, 1, 1).pixels, (std::array<std::size_t, 4>{0, 0, 0, 0}));
}

TEST(BilinearWeight, isTheAreaOfTheOppositeRectangle) {
    const glm::dvec2 fraction(0.25, 0.5);
    EXPECT_EQ(bilinearWeight(fraction, 0), 0.75 * 0.5);
    EXPECT_EQ(bilinearWeight(fraction, 1), 0.25 * 0.5);
    EXPECT_EQ(bilinearWeight(glm::dvec2(0.25, 0.125), 2), 0.75 * 0.125);
    EXPECT_EQ(bilinearWeight(glm::dvec2(0.25, 0.125), 3), 0.25 * 0.125);
}

}  // namespace
}  // namespace threefold
