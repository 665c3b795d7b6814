#include "ui/document/view_selection.h"

#include <optional>

#include <gtest/gtest.h>

#include "engine/views/network_input.h"

namespace threefold::ui {
namespace {

using Views = std::vector<int>;

TEST(ViewSelection, replacesAView_andSelectsTheNextSlot) {
    ViewSelection selection({0, 6, 7});
    EXPECT_EQ(selection.put(selection.selectedSlot(), 3), ViewSelection::Change::replaced);
    EXPECT_EQ(selection.views(), (Views{3, 6, 7}));
    EXPECT_EQ(selection.selectedSlot(), 1U);
}

TEST(ViewSelection, selectsTheFirstSlot_afterTheLast) {
    ViewSelection selection({0, 6, 7});
    selection.select(2);
    selection.put(selection.selectedSlot(), 9);
    EXPECT_EQ(selection.selectedSlot(), 0U);
}

TEST(ViewSelection, swaps_whenTheViewIsInAnotherSlot) {
    ViewSelection selection({0, 6, 7});
    EXPECT_EQ(selection.put(selection.selectedSlot(), 7), ViewSelection::Change::swapped);
    EXPECT_EQ(selection.views(), (Views{7, 6, 0}));
}

TEST(ViewSelection, changesNothing_whenTheSlotHasTheView) {
    ViewSelection selection({0, 6, 7});
    EXPECT_EQ(selection.put(selection.selectedSlot(), 0), ViewSelection::Change::unchanged);
    EXPECT_EQ(selection.views(), (Views{0, 6, 7}));
    EXPECT_EQ(selection.selectedSlot(), 1U);
}

TEST(ViewSelection, neverHoldsAViewTwice) {
    EXPECT_EQ(ViewSelection({4, 4, 5}).views(), (Views{4, 5}));
    ViewSelection selection({0, 6, 7});
    for (int i = 0; i < 200; ++i) {
        selection.put(selection.selectedSlot(), (i * 7) % 5);
        const Views& v = selection.views();
        EXPECT_TRUE(v[0] != v[1] && v[1] != v[2] && v[0] != v[2]);
    }
}

TEST(ViewSelection, hasNoSlot_whenEmpty) {
    ViewSelection selection;
    selection.select(3);
    EXPECT_EQ(selection.slotOf(1), std::nullopt);
}

TEST(StartingViews, areFilledUp_whenFewAreWanted) {
    EXPECT_EQ(startingViews({0, 6, 7}, 3), (Views{0, 1, 2}));
    EXPECT_EQ(startingViews({6}, 7), (Views{6, 0, 1}));
    EXPECT_EQ(startingViews({0, 6, 7}, 2), (Views{0, 1}));
}

TEST(StartingViews, keepWantedViews_whichExist) {
    EXPECT_EQ(startingViews({5, 3}, 24), (Views{5, 3}));
    EXPECT_EQ(startingViews({5, 3, 40, -1, 3, 9}, 24), (Views{5, 3, 9}));
    EXPECT_EQ(startingViews({40}, 24), (Views{0, 1, 2}));
    EXPECT_EQ(startingViews({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 24).size(), kMaxInputViews);
}

TEST(ViewSelection, addsUpToEightSlots_andSelectsTheNewOne) {
    ViewSelection selection({0, 1});
    for (int view = 2; view < 8; ++view) EXPECT_TRUE(selection.add(view));
    EXPECT_EQ(selection.views().size(), kMaxInputViews);
    EXPECT_EQ(selection.selectedSlot(), 7U);
    EXPECT_FALSE(selection.add(8));
    ViewSelection other({0, 1});
    EXPECT_FALSE(other.add(1));
}

TEST(ViewSelection, removesDownToTwoSlots) {
    ViewSelection selection({0, 6, 7});
    EXPECT_FALSE(selection.remove(3));
    EXPECT_TRUE(selection.remove(0));
    EXPECT_EQ(selection.views(), (Views{6, 7}));
    EXPECT_FALSE(selection.remove(0));
}

TEST(ViewSelection, swapsSlots) {
    ViewSelection selection({0, 6, 7});
    EXPECT_TRUE(selection.swapSlots(0, 2));
    EXPECT_EQ(selection.views(), (Views{7, 6, 0}));
    EXPECT_EQ(selection.selectedSlot(), 2U);
    EXPECT_FALSE(selection.swapSlots(1, 1));
    EXPECT_FALSE(selection.swapSlots(0, 3));
}

TEST(ViewSelection, keepsTheSlot_whenSteppingThroughViews) {
    ViewSelection selection({0, 6, 7});
    selection.replace(1, 9);
    selection.replace(1, 10);
    EXPECT_EQ(selection.views(), (Views{0, 10, 7}));
    EXPECT_EQ(selection.selectedSlot(), 1U);
}

TEST(ViewSelection, findsTheNextFreeView_wrappingAround) {
    const ViewSelection selection({0, 6, 7});
    EXPECT_EQ(nextFreeView(selection, 6, 1, 24), 8);
    EXPECT_EQ(nextFreeView(selection, 6, -1, 24), 5);
    EXPECT_EQ(nextFreeView(selection, 0, -1, 24), 23);
    EXPECT_EQ(nextFreeView(ViewSelection({0, 1}), 0, 1, 2), std::nullopt);
}

}  // namespace
}  // namespace threefold::ui
