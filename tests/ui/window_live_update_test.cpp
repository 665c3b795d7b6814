#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QScrollArea>
#include <QTest>
#include <QWheelEvent>

#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/input/input_panel.h"
#include "ui/input/undo_history.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/input/view_tiles.h"
#include "ui/run/live_update.h"

namespace threefold::ui {
namespace {

class WindowContinuous : public test::WindowTest {
  protected:
    LiveUpdate& mode() { return *window().findChild<LiveUpdate*>(); }
    InputPanel& input() { return window().input(); }
    ViewTile* tile(std::size_t view) { return input().strip().tiles()[view]; }
    const std::vector<int>& shownViews() { return window().document().result.current()->views; }

    void begin() {
        ASSERT_TRUE(open(test::bundledSampleFolder()));
        trigger(Qt::Key_C);
        ASSERT_TRUE(mode().isOn());
    }
    bool shows(const std::vector<int>& views) {
        return waitUntil([&] { return shownViews() == views; });
    }
};

TEST_F(WindowContinuous, followsTheArrowKeys_andEndsWithTheLastView) {
    begin();
    tile(8)->setFocus();
    int edits = 0;
    QObject::connect(&input().model(), &InputModel::edited, &window(), [&] { ++edits; });
    for (std::size_t view = 8; view < 20; ++view) QTest::keyClick(tile(view), Qt::Key_Right);
    EXPECT_EQ(edits, 12);
    EXPECT_TRUE(shows({20, 6, 7}));
    // Every request was either shown or superseded.
    EXPECT_TRUE(waitUntil([&] { return mode().shownCount() + mode().supersededCount() == 12U; }));
    EXPECT_GE(mode().shownCount(), 1U);
    EXPECT_EQ(mode().summary(), "Showing 20, 6, 7");
    // The series of edits is one undo step.
    EXPECT_EQ(window().findChild<UndoHistory*>()->stack().count(), 1);
}

TEST_F(WindowContinuous, followsDragsOverTheStrip_andTheWheelOverASlot) {
    begin();
    QWindow* handle = window().windowHandle();
    auto* area = qobject_cast<QScrollArea*>(input().parentWidget()->parentWidget());
    ASSERT_NE(area, nullptr);
    area->ensureWidgetVisible(tile(9));
    const auto at = [&](std::size_t view) {
        return tile(view)->mapTo(&window(), tile(view)->rect().center());
    };
    QTest::mousePress(handle, Qt::LeftButton, {}, at(9));
    for (const std::size_t view : {10U, 11U, 10U, 11U}) {
        QTest::mouseMove(handle, at(view));
        QCoreApplication::processEvents();
    }
    QTest::mouseRelease(handle, Qt::LeftButton, {}, at(11));
    EXPECT_TRUE(shows({11, 6, 7}));
    ViewTile* slot = input().viewSlots().tiles()[1];
    QWheelEvent wheel(slot->rect().center(), slot->mapToGlobal(QPointF(20, 20)), {}, {0, -120},
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(slot, &wheel);
    EXPECT_TRUE(shows({11, 8, 7}));
}

TEST_F(WindowContinuous, dropsOutdatedRequests_whenTheNetworkIsSlow) {
    begin();
    network().stageMilliseconds = 20;  // a run lasts about 160 ms
    QTest::keyClick(tile(8), Qt::Key_Right);
    ASSERT_TRUE(shows({9, 6, 7}));
    const int runs = network().runs;
    for (std::size_t view = 9; view < 21; ++view) QTest::keyClick(tile(view), Qt::Key_Right);
    EXPECT_TRUE(shows({21, 6, 7}));
    EXPECT_TRUE(waitUntil([&] { return mode().shownCount() + mode().supersededCount() == 13U; }));
    EXPECT_GE(mode().supersededCount(), 6U);
    EXPECT_LE(network().runs - runs, 12);
}

TEST_F(WindowContinuous, reconstructsTheNewestView_whenTheOneBeforeIsBroken) {
    ASSERT_TRUE(open(test::sampleWithBrokenView(folder(), 11)));
    trigger(Qt::Key_C);
    tile(10)->setFocus();
    QTest::keyClick(tile(10), Qt::Key_Right);
    QTest::keyClick(tile(11), Qt::Key_Right);
    EXPECT_TRUE(shows({12, 6, 7}));
    EXPECT_EQ(input().model().selection().views(), shownViews());
}

TEST_F(WindowContinuous, showsResultsFromTimeToTime_duringEndlessScrubbing) {
    begin();
    network().stageMilliseconds = 5;
    QTest::keyClick(tile(8), Qt::Key_Right);
    ASSERT_TRUE(shows({9, 6, 7}));
    const std::size_t before = mode().shownCount();
    std::size_t view = 9;
    const bool shown = waitUntil([&] {
        view = view == 22 ? 9 : view + 1;
        QTest::keyClick(tile(view == 9 ? 22 : view - 1), view == 9 ? Qt::Key_Home : Qt::Key_Right);
        return mode().shownCount() >= before + 3;
    });
    EXPECT_TRUE(shown);
    EXPECT_GT(mode().supersededCount(), 0U);
}

TEST_F(WindowContinuous, returnsToTheShownViews_whenCancelled) {
    begin();
    network().stageMilliseconds = 2000;
    QTest::keyClick(tile(8), Qt::Key_Right);
    QTest::keyClick(tile(9), Qt::Key_Right);
    ASSERT_TRUE(waitUntil([&] { return network().runs >= 2; }));
    window().cancel();
    EXPECT_TRUE(waitUntil([&] { return input().model().selection().views() == shownViews(); }));
    network().stageMilliseconds = 1;
    QTest::keyClick(tile(10), Qt::Key_Right);
    EXPECT_TRUE(shows({11, 6, 7}));
}

}  // namespace
}  // namespace threefold::ui
