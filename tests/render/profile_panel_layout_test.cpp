#include "render/profile_panel_layout.h"

#include <gtest/gtest.h>

#include "tests/render/fake_profile_panel.h"

namespace threefold::render {
namespace {

constexpr glm::vec2 kPicture{800, 600};

const FlameSegment& segmentOf(const ProfilePanelView& view, const FlameSegmentBox& box) {
    return view.flames->rows[box.row][box.segment];
}

TEST(ProfilePanelLayout, makesSegmentsAsWideAsTheirTimes) {
    const ProfilePanelView view = fakeProfilePanel();
    const ProfilePanelLayout layout = layoutProfilePanel(view, kPicture);
    ASSERT_EQ(layout.flameRows.size(), 6U);
    ASSERT_EQ(layout.segments.size(), 42U);
    const float scale =
        layout.segments.front().box.width() / segmentOf(view, layout.segments.front()).duration;
    for (const FlameSegmentBox& each : layout.segments) {
        const FlameSegment& segment = segmentOf(view, each);
        EXPECT_NEAR(each.box.width(), segment.duration * scale, 1e-3);
        EXPECT_NEAR(each.box.from.x - layout.flameRows[each.row].from.x, segment.begin * scale,
                    1e-3);
        EXPECT_LE(each.box.to.x, layout.flames.to.x + 1e-3F);
    }
    // The longest run fills its row.
    EXPECT_NEAR(layout.segments[6].box.to.x, layout.flameRows[0].to.x, 1e-3);
}

TEST(ProfilePanelLayout, keepsLanesApart) {
    const ProfilePanelView view = fakeProfilePanel();
    const ProfilePanelLayout layout = layoutProfilePanel(view, kPicture);
    const PanelBox& load = layout.segments[0].box;
    const PanelBox& convolution = layout.segments[2].box;
    EXPECT_EQ(segmentOf(view, layout.segments[2]).lane, 1);
    EXPECT_LE(load.to.y, convolution.from.y);
    // The rows of runs do not overlap either.
    EXPECT_LE(convolution.to.y, layout.flameRows[1].from.y);
}

TEST(ProfilePanelLayout, standsInTheLowerRight_insideThePicture) {
    const ProfilePanelView view = fakeProfilePanel();
    const ProfilePanelLayout layout = layoutProfilePanel(view, kPicture);
    EXPECT_EQ(layout.panel.to.x, kPicture.x - view.margin);
    EXPECT_EQ(layout.panel.to.y, kPicture.y - view.margin);
    for (const PanelBox& box : {layout.heading, layout.graph, layout.facts}) {
        EXPECT_TRUE(layout.panel.contains(box.from));
        EXPECT_LE(box.to.y, layout.panel.to.y);
    }
    EXPECT_EQ(layout.facts.height(), 2 * layout.panelCost.height());
}

TEST(ProfilePanelLayout, leavesRunsOut_whenThereIsLittleSpace) {
    const ProfilePanelView view = fakeProfilePanel();
    const ProfilePanelLayout layout = layoutProfilePanel(view, {260, 270});
    EXPECT_LT(layout.flameRows.size(), 6U);
    EXPECT_GE(layout.flameRows.size(), 1U);
    EXPECT_GE(layout.panel.from.x, 0);
    EXPECT_LE(layout.panel.to.x, 260);
    EXPECT_GE(layout.panel.from.y, 0);
}

TEST(ProfilePanelLayout, occupiesItsDeclaredSize) {
    ProfilePanelView view = fakeProfilePanel();
    view.margin = 0;
    for (const glm::vec2 size : {profilePanelSize(view), profilePanelSize(emptyProfilePanel())}) {
        if (size != profilePanelSize(view)) view.flames = nullptr;
        const ProfilePanelLayout layout = layoutProfilePanel(view, size);
        EXPECT_EQ(layout.panel.from, glm::vec2(0));
        EXPECT_EQ(layout.panel.to, size);
    }
}

TEST(ProfilePanelLayout, findsTheSegmentUnderThePointer) {
    ProfilePanelView view = fakeProfilePanel();
    const ProfilePanelLayout layout = layoutProfilePanel(view, kPicture);
    EXPECT_FALSE(hoveredSegment(layout, view));
    for (const FlameSegmentBox& each : layout.segments) {
        view.pointer = (each.box.from + each.box.to) / 2.0F;
        const auto hovered = hoveredSegment(layout, view);
        ASSERT_TRUE(hovered);
        EXPECT_EQ(hovered->row, each.row);
        EXPECT_EQ(hovered->segment, each.segment);
    }
    view.pointer = layout.graph.from;
    EXPECT_FALSE(hoveredSegment(layout, view));
}

TEST(ProfilePanelLayout, keepsTheBudgetInTheGraph) {
    ProfilePanelView view = fakeProfilePanel();
    EXPECT_GT(layoutProfilePanel(view, kPicture).graphTop, view.budget);
    view.frames = {5000};
    EXPECT_EQ(layoutProfilePanel(view, kPicture).graphTop, 4 * view.budget);
    view.frames.clear();
    EXPECT_EQ(layoutProfilePanel(view, kPicture).graphTop, 1.5F * view.budget);
}

}  // namespace
}  // namespace threefold::render
