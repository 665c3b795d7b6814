#include "render/pane_view.h"

#include <limits>

#include <gtest/gtest.h>

namespace threefold::render {
namespace {

Scene sceneOfPanes(std::size_t count) {
    Scene scene;
    scene.panes.resize(count);
    return scene;
}

TEST(PaneViews, equalTheLayout_whenThereIsNoTile) {
    for (const std::size_t count : {1, 2, 3}) {
        const auto views = paneViews(sceneOfPanes(count), 101, 57, 4096);
        const auto panes = paneRects(101, 57, static_cast<int>(count), 1.0F);
        ASSERT_EQ(views.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(views[i].whole, panes[i]);
            EXPECT_EQ(views[i].visible, panes[i]);
            EXPECT_EQ(views[i].viewport, panes[i]);
        }
    }
}

TEST(PaneViews, areCutToTheTile) {
    Scene scene = sceneOfPanes(2);
    scene.tile = Tile{90, 10, 201, 100};
    const auto views = paneViews(scene, 50, 30, 4096);
    EXPECT_EQ(views[0].whole, (PixelRect{-90, -10, 100, 100}));
    EXPECT_EQ(views[0].visible, (PixelRect{0, 0, 10, 30}));
    EXPECT_EQ(views[1].visible, (PixelRect{11, 0, 39, 30}));
    EXPECT_EQ(views[1].viewport, views[1].whole);
}

TEST(PaneViews, viewportSurroundsTheTile_whenThePaneExceedsTheLimit) {
    Scene scene = sceneOfPanes(1);
    for (const int x : {0, 700, 9900}) {
        scene.tile = Tile{x, 0, 10'000, 100};
        const PaneView view = paneViews(scene, 100, 100, 1000)[0];
        EXPECT_EQ(view.viewport.width, 1000);
        EXPECT_LE(view.viewport.x, 0);
        EXPECT_GE(view.viewport.x + 1000, 100);
        EXPECT_GE(view.viewport.x, view.whole.x);
        EXPECT_LE(view.viewport.x + 1000, view.whole.x + view.whole.width);
    }
}

TEST(Columns, meetAtAFraction_whateverTheWidth) {
    for (int width = 1; width < 40; ++width) {
        Scene scene = sceneOfPanes(1);
        const PaneView view = paneViews(scene, width, 10, 4096)[0];
        for (float fraction = 0.0F; fraction <= 1.0F; fraction += 0.01F) {
            const PixelRect left = columnsOf(view, 0.0F, fraction),
                            right = columnsOf(view, fraction, 1.0F);
            EXPECT_EQ(left.x, 0);
            EXPECT_EQ(left.width, right.x);
            EXPECT_EQ(left.width + right.width, width);
        }
    }
}

TEST(Columns, areNoneOrAll_whenTheFractionIsZeroOrOne) {
    const PaneView view = paneViews(sceneOfPanes(1), 20, 10, 4096)[0];
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(columnsOf(view, 0.0F, nan).width, 0);
    EXPECT_EQ(columnsOf(view, 0.7F, 0.2F).width, 0);
    EXPECT_EQ(columnsOf(view, -3.0F, 5.0F).width, 20);
}

}  // namespace
}  // namespace threefold::render
