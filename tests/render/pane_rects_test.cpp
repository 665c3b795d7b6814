#include "render/pane_view.h"

#include <gtest/gtest.h>

namespace threefold::render {
namespace {

TEST(PaneRects, isTheWholePicture_whenThereIsOnePane) {
    EXPECT_EQ(paneRects(640, 480, 1, 1.0F), (std::vector<PixelRect>{{0, 0, 640, 480}}));
}

TEST(PaneRects, leavesOnePixelBetweenPanes_whenTheWidthIsOdd) {
    EXPECT_EQ(paneRects(641, 480, 2, 1.0F),
              (std::vector<PixelRect>{{0, 0, 320, 480}, {321, 0, 320, 480}}));
}

TEST(PaneRects, isEmpty_whenThereAreNoPanes) {
    EXPECT_TRUE(paneRects(640, 480, 0, 1.0F).empty());
    EXPECT_TRUE(paneRects(640, 480, -3, 1.0F).empty());
}

TEST(PaneRects, dividerIsALogicalPixel) {
    EXPECT_EQ(dividerWidth(0.5F), 1);
    EXPECT_EQ(dividerWidth(1.0F), 1);
    EXPECT_EQ(dividerWidth(2.0F), 2);
    EXPECT_EQ(dividerWidth(2.6F), 3);
}

TEST(PaneRects, givesAllPanesOneWidth_andLeavesFewerPixelsThanPanes) {
    for (int count = 1; count <= 4; ++count) {
        for (int width = 20; width < 60; ++width) {
            const std::vector<PixelRect> panes = paneRects(width, 10, count, 2.0F);
            int next = 0;
            for (const PixelRect& pane : panes) {
                EXPECT_EQ(pane.x, next);
                EXPECT_EQ(pane.width, panes.front().width);
                next = pane.x + pane.width + 2;
            }
            EXPECT_LE(next - 2, width);
            EXPECT_GT(next - 2 + count, width);
        }
    }
}

TEST(PaneRects, hasTwoRows_beyondFourPanes) {
    EXPECT_EQ(
        paneRects(62, 21, 5, 1.0F),
        (std::vector<PixelRect>{
            {0, 0, 20, 10}, {21, 0, 20, 10}, {42, 0, 20, 10}, {0, 11, 20, 10}, {21, 11, 20, 10}}));
    EXPECT_EQ(paneRects(62, 21, 6, 1.0F).back(), (PixelRect{42, 11, 20, 10}));
}

TEST(PaneRects, staysInThePicture_whenItIsTooNarrow) {
    for (const PixelRect& pane : paneRects(3, 10, 6, 2.0F)) {
        EXPECT_GE(pane.width, 0);
        EXPECT_LE(pane.x + pane.width, 3);
    }
}

}  // namespace
}  // namespace threefold::render
