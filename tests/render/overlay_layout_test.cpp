#include "render/overlay_layout.h"

#include <gtest/gtest.h>

#include "tests/render/fake_overlay.h"

namespace threefold::render {
namespace {

constexpr glm::vec2 kPicture{800, 600};

const OverlaySegment& segmentOf(const OverlayView& view, const OverlaySegmentBox& box) {
    return view.flames->rows[box.row][box.segment];
}

TEST(OverlayLayout, makesSegmentsAsWideAsTheirTimes) {
    const OverlayView view = fakeOverlay();
    const OverlayLayout layout = layoutOverlay(view, kPicture);
    ASSERT_EQ(layout.flameRows.size(), 6U);
    ASSERT_EQ(layout.segments.size(), 42U);
    const float scale =
        layout.segments.front().box.width() / segmentOf(view, layout.segments.front()).duration;
    for (const OverlaySegmentBox& each : layout.segments) {
        const OverlaySegment& segment = segmentOf(view, each);
        EXPECT_NEAR(each.box.width(), segment.duration * scale, 1e-3);
        EXPECT_NEAR(each.box.from.x - layout.flameRows[each.row].from.x, segment.begin * scale,
                    1e-3);
        EXPECT_LE(each.box.to.x, layout.flames.to.x + 1e-3F);
    }
    // The longest run fills its row.
    EXPECT_NEAR(layout.segments[6].box.to.x, layout.flameRows[0].to.x, 1e-3);
}

TEST(OverlayLayout, keepsLanesApart) {
    const OverlayView view = fakeOverlay();
    const OverlayLayout layout = layoutOverlay(view, kPicture);
    const OverlayBox& load = layout.segments[0].box;
    const OverlayBox& convolution = layout.segments[2].box;
    EXPECT_EQ(segmentOf(view, layout.segments[2]).lane, 1);
    EXPECT_LE(load.to.y, convolution.from.y);
    // And rows.
    EXPECT_LE(convolution.to.y, layout.flameRows[1].from.y);
}

TEST(OverlayLayout, standsInTheLowerRight_insideThePicture) {
    const OverlayView view = fakeOverlay();
    const OverlayLayout layout = layoutOverlay(view, kPicture);
    EXPECT_EQ(layout.panel.to.x, kPicture.x - view.margin);
    EXPECT_EQ(layout.panel.to.y, kPicture.y - view.margin);
    for (const OverlayBox& box : {layout.heading, layout.graph, layout.facts}) {
        EXPECT_TRUE(layout.panel.contains(box.from));
        EXPECT_LE(box.to.y, layout.panel.to.y);
    }
    EXPECT_EQ(layout.facts.height(), 2 * layout.overlay.height());
}

TEST(OverlayLayout, leavesRunsOut_whenThereIsLittleSpace) {
    const OverlayView view = fakeOverlay();
    const OverlayLayout layout = layoutOverlay(view, {260, 270});
    EXPECT_LT(layout.flameRows.size(), 6U);
    EXPECT_GE(layout.flameRows.size(), 1U);
    EXPECT_GE(layout.panel.from.x, 0);
    EXPECT_LE(layout.panel.to.x, 260);
    EXPECT_GE(layout.panel.from.y, 0);
}

TEST(OverlayLayout, occupiesItsDeclaredSize) {
    OverlayView view = fakeOverlay();
    view.margin = 0;
    for (const glm::vec2 size : {overlaySize(view), overlaySize(emptyOverlay())}) {
        if (size != overlaySize(view)) view.flames = nullptr;
        const OverlayLayout layout = layoutOverlay(view, size);
        EXPECT_EQ(layout.panel.from, glm::vec2(0));
        EXPECT_EQ(layout.panel.to, size);
    }
}

TEST(OverlayLayout, findsTheSegmentUnderThePointer) {
    OverlayView view = fakeOverlay();
    const OverlayLayout layout = layoutOverlay(view, kPicture);
    EXPECT_FALSE(hoveredSegment(layout, view));
    for (const OverlaySegmentBox& each : layout.segments) {
        view.pointer = (each.box.from + each.box.to) / 2.0F;
        const auto hovered = hoveredSegment(layout, view);
        ASSERT_TRUE(hovered);
        EXPECT_EQ(hovered->row, each.row);
        EXPECT_EQ(hovered->segment, each.segment);
    }
    view.pointer = layout.graph.from;
    EXPECT_FALSE(hoveredSegment(layout, view));
}

TEST(OverlayLayout, keepsTheBudgetInTheGraph) {
    OverlayView view = fakeOverlay();
    EXPECT_GT(layoutOverlay(view, kPicture).graphTop, view.budget);
    view.frames = {5000};
    EXPECT_EQ(layoutOverlay(view, kPicture).graphTop, 4 * view.budget);
    view.frames.clear();
    EXPECT_EQ(layoutOverlay(view, kPicture).graphTop, 1.5F * view.budget);
}

}  // namespace
}  // namespace threefold::render
