#include "ui/input/depth_picture.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QColor>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

// Depth map whose upper half has depths from 0.6 (left) to 0.9 (right), and whose lower half has
// none.
ViewDepthMap slope(int view = 0, int side = 8) {
    ViewDepthMap depths{view, side, {}};
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            depths.depth.push_back(2 * y < side ? 0.6F + 0.3F * static_cast<float>(x) /
                                                             static_cast<float>(side - 1)
                                                : 0);
    return depths;
}

QRgb mapped(float fraction) {
    const glm::vec3 colour = render::colourAt(render::ColourMap::viridis, fraction);
    return QColor::fromRgbF(colour.x, colour.y, colour.z).rgb();
}

TEST(DepthPicture, coloursNearToFar_andIsTransparentWithoutSureDepth) {
    const DepthPicture made = depthPicture(slope(), {16, 16}, render::ColourMap::viridis);
    ASSERT_EQ(made.colours.size(), QSize(16, 16));
    EXPECT_FLOAT_EQ(made.scale.min, 0.6F);
    EXPECT_FLOAT_EQ(made.scale.max, 0.9F);
    EXPECT_EQ(made.colours.pixel(0, 0), mapped(0));
    EXPECT_EQ(made.colours.pixel(15, 7), mapped(1));
    for (int x = 0; x < 16; ++x) {
        for (int y = 0; y < 8; ++y) EXPECT_EQ(made.colours.pixelColor(x, y).alpha(), 255);
        for (int y = 8; y < 16; ++y) EXPECT_EQ(made.colours.pixelColor(x, y).alpha(), 0);
    }
}

TEST(DepthPicture, isPlacedWhereThePhotographShowsTheMap) {
    // The map covers the middle half of the photograph's width and height.
    const auto place = [](glm::dvec2 pixel) {
        return std::optional(glm::dvec2(0.25) + pixel / (2.0 * kInputSide));
    };
    const DepthPicture made = depthPicture(slope(), {64, 32}, render::ColourMap::viridis, place);
    EXPECT_EQ(made.colours.pixelColor(15, 12).alpha(), 0);
    EXPECT_EQ(made.colours.pixel(16, 12), mapped(0));
    EXPECT_EQ(made.colours.pixel(47, 12), mapped(1));
    EXPECT_EQ(made.colours.pixelColor(48, 12).alpha(), 0);
    EXPECT_EQ(made.colours.pixelColor(32, 16).alpha(), 0);
    // Directions outside a lens's field of view have no pixel, so no depth is drawn.
    EXPECT_TRUE(depthPicture(slope(), {8, 8}, render::ColourMap::viridis,
                             [](glm::dvec2) { return std::optional<glm::dvec2>(); })
                    .depthTextAt({0.1, 0.1})
                    .isEmpty());
}

TEST(DepthPicture, givesTheDepthAtAPixel_inBothUnits) {
    DepthPicture made = depthPicture(slope(), {16, 16}, render::ColourMap::viridis);
    EXPECT_EQ(made.depthTextAt({0.01, 0.01}), "0.6000");
    EXPECT_EQ(made.depthTextAt({0.01, 0.99}), "");
    EXPECT_EQ(made.depthTextAt({1.2, 0.1}), "");
    made.cameraUnitsPerObjectUnit = 20;
    EXPECT_EQ(made.depthTextAt({0.99, 0.01}), "0.9000 · 18 camera units");
}

TEST(DepthPicture, isNull_whenNoDepthIsSure) {
    ViewDepthMap none = slope();
    std::ranges::fill(none.depth, 0.0F);
    EXPECT_TRUE(depthPicture(none, {8, 8}, render::ColourMap::viridis).isNull());
    for (float& depth : none.depth) depth = 0.7F;  // a plane: minimum and maximum are equal
    const DepthPicture wall = depthPicture(none, {8, 8}, render::ColourMap::viridis);
    EXPECT_GT(wall.scale.max, wall.scale.min);
}

TEST(DepthOf, isTheNewestOfTheFit_untilTheResultHasOne) {
    Document document;
    const SampleRef sample = test::bundledSample();
    const ResultRef before = makeResult(sample, {0, 6, 7}, test::fakeReconstruction());
    document.result.set(before);
    EXPECT_EQ(depthOf(document, sample, 6).map, nullptr);
    document.fit.addIntermediateDepths({slope(6)});
    EXPECT_EQ(depthOf(document, sample, 6).map, &document.fit.intermediateDepths()[0]);
    EXPECT_FALSE(depthOf(document, sample, 6).isConsistent);
    EXPECT_EQ(depthOf(document, sample, 0).map, nullptr);
    // Samples are compared by identity: a second SampleRef to the same files has no depth.
    EXPECT_EQ(depthOf(document, test::bundledSample(), 6).map, nullptr);

    FittedSample fitted = test::sampleWithDepth();
    fitted.fit->hullFit->depth->maps = {slope(0), slope(6, 4)};
    document.result.set(withFit(before, {}, std::move(fitted)));
    const KnownDepths known = depthOf(document, sample, 6);
    ASSERT_NE(known.map, nullptr);
    EXPECT_EQ(known.map->side, 4);
    EXPECT_TRUE(known.isConsistent);
    EXPECT_EQ(depthOf(document, sample, 7).map, nullptr);
}

}  // namespace
}  // namespace threefold::ui
