// The choice of views: ring of cameras, warnings of similar views, suggestions, tried choices, the
// layout of slots and strip.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QHeaderView>
#include <QScrollBar>
#include <QStatusBar>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include "engine/sample/view_candidates.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/input/camera_ring.h"
#include "ui/input/input_panel.h"
#include "ui/input/undo_history.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/input/view_tiles.h"
#include "ui/run/live_update.h"
#include "ui/run/view_commands.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

using Views = std::vector<int>;

class WindowViews : public test::WindowTest {
  protected:
    InputPanel& input() { return window().input(); }
    CameraRing& ring() { return input().ring(); }
    const std::vector<ViewTile*>& slotTiles() { return input().viewSlots().tiles(); }
    const Views& views() { return input().model().selection().views(); }
    UndoHistory& history() { return *window().findChild<UndoHistory*>(); }
    ViewCommands& choices() { return *window().findChild<ViewCommands*>(); }

    void tryChoices() {
        trigger(QStringLiteral("Try choices of views…"));
        ASSERT_NE(choices().dialog(), nullptr);
        QTest::mouseClick(&child<QPushButton>(*choices().dialog(), "start"), Qt::LeftButton);
    }
    bool shows(const Views& wanted) {
        return waitUntil([&] {
            const ResultRef& result = document().result.current();
            return result && result->views == wanted;
        });
    }
    QPoint at(int view) { return ring().positionOf(view).toPoint(); }
    void click(int view) { QTest::mouseClick(&ring(), Qt::LeftButton, {}, at(view)); }
    // A view in no slot whose marker on the ring is not covered by another; −1 if there is none.
    int freeCamera() {
        for (int view = 0; view < 24; ++view)
            if (input().model().selection().slotOf(view) < 0 && ring().viewAt(at(view)) == view)
                return view;
        return -1;
    }
    void dragCamera(int from, int to) {
        QTest::mousePress(&ring(), Qt::LeftButton, {}, at(from));
        const QPoint end = at(to);
        const QPoint begin = at(from);
        for (int step = 1; step <= 8; ++step) {
            const QPoint place = begin + (end - begin) * step / 8;
            QMouseEvent move(QEvent::MouseMove, place, ring().mapToGlobal(place), Qt::NoButton,
                             Qt::LeftButton, {});
            QCoreApplication::sendEvent(&ring(), &move);
        }
        QTest::mouseRelease(&ring(), Qt::LeftButton, {}, end);
    }
};

TEST_F(WindowViews, ringShowsCamerasAtTheirAzimuth_higherOnesNearerToItsCentre) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(ring().isVisible());
    const QPointF middle = QRectF(ring().rect()).center();
    const std::vector<CameraRow>& cameras = input().model().sample()->cameraRows;
    std::set<int> seen;
    std::map<double, double> radiusOfElevation;
    for (int view = 0; view < static_cast<int>(cameras.size()); ++view) {
        const QPointF place = ring().positionOf(view) - middle;
        const double azimuth = cameras[static_cast<std::size_t>(view)].azimuth * M_PI / 180;
        const double radius = std::hypot(place.x(), place.y());
        EXPECT_NEAR(place.x(), radius * std::cos(azimuth), 1e-6);
        EXPECT_NEAR(place.y(), radius * std::sin(azimuth), 1e-6);
        EXPECT_TRUE(ring().rect().contains(at(view)));
        radiusOfElevation[cameras[static_cast<std::size_t>(view)].elevation] = radius;
        if (ring().viewAt(at(view)) == view) seen.insert(view);
    }
    ASSERT_GT(radiusOfElevation.size(), 1U);
    EXPECT_TRUE(std::ranges::is_sorted(radiusOfElevation, std::greater(),
                                       &std::pair<const double, double>::second));
    EXPECT_GE(seen.size(), 12U);  // the other markers overlap
}

TEST_F(WindowViews, ringChoosesViewsByClick_asOneUndoStep) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    click(6);
    EXPECT_EQ(input().model().selection().selectedSlot(), 1U);
    EXPECT_EQ(history().stack().count(), 0);
    const int view = freeCamera();
    ASSERT_GE(view, 0);
    click(view);
    EXPECT_TRUE(shows({0, view, 7}));
    EXPECT_EQ(history().stack().count(), 1);
    history().stack().undo();
    EXPECT_TRUE(shows({0, 6, 7}));
}

TEST_F(WindowViews, ringDragsACameraToAnother_asOneUndoStep) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const int view = freeCamera();
    dragCamera(7, view);
    EXPECT_TRUE(shows({0, 6, view}));
    EXPECT_EQ(history().stack().count(), 1);
    history().stack().undo();
    EXPECT_EQ(views(), (Views{0, 6, 7}));
}

TEST_F(WindowViews, ringReconstructsWhileDragging_inLiveUpdate) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    window().findChild<LiveUpdate*>()->setOn(true);
    const int before = network().runs;
    QTest::mousePress(&ring(), Qt::LeftButton, {}, at(7));
    const QPoint place = at(freeCamera());
    QMouseEvent move(QEvent::MouseMove, place, ring().mapToGlobal(place), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&ring(), &move);
    QCoreApplication::sendEvent(&ring(), &move);
    EXPECT_NE(views(), (Views{0, 6, 7}));
    // The reconstruction begins before the button is released.
    EXPECT_TRUE(waitUntil([&] { return network().runs > before; }));
    QTest::mouseRelease(&ring(), Qt::LeftButton, {}, place);
    EXPECT_TRUE(shows(views()));
}

TEST_F(WindowViews, ringIsNavigatedByKeys) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ring().setFocus(Qt::TabFocusReason);
    EXPECT_EQ(ring().current(), 0);
    EXPECT_TRUE(ring().accessibleDescription().startsWith("View 0, in slot 1, the reference"))
        << ring().accessibleDescription().toStdString();
    std::set<int> reached{0};
    for (int step = 0; step < 23; ++step) {
        QTest::keyClick(&ring(), Qt::Key_Right);
        reached.insert(ring().current());
    }
    EXPECT_EQ(reached.size(), 24U);
    QTest::keyClick(&ring(), Qt::Key_Right);
    EXPECT_EQ(ring().current(), 0);
    EXPECT_EQ(views(), (Views{0, 6, 7}));
    QTest::keyClick(&ring(), Qt::Key_End);
    QTest::keyClick(&ring(), Qt::Key_3);
    EXPECT_TRUE(shows({0, 6, 23}));
    QTest::keyClick(&ring(), Qt::Key_Home);
    QTest::keyClick(&ring(), Qt::Key_End);
    QTest::keyClick(&ring(), Qt::Key_Left);
    const int view = ring().current();
    const auto slot = input().model().selection().selectedSlot();
    QTest::keyClick(&ring(), Qt::Key_Return);
    EXPECT_EQ(views()[slot], view);
}

TEST_F(WindowViews, slotsNameViewsThatAreTooSimilar_andTheirAngle) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    std::vector<CameraRow> cameras = input().model().sample()->cameraRows;
    cameras[0] = {100, 25, 0, 0.8, 25};
    cameras[6] = {110, 25, 0, 0.9, 25};
    cameras[7] = {200, 25, 0, 0.8, 25};
    input().model().setCameras(cameras);
    EXPECT_EQ(slotTiles()[0]->warning(), "too similar");
    EXPECT_EQ(slotTiles()[1]->warning(), "too similar");
    EXPECT_EQ(slotTiles()[2]->warning(), "");
    EXPECT_TRUE(
        slotTiles()[1]->toolTip().contains("Too similar to view 0 in slot 1: only 9.1° apart"))
        << slotTiles()[1]->toolTip().toStdString();
    EXPECT_TRUE(slotTiles()[1]->toolTip().contains("at least 15°"));
    EXPECT_TRUE(slotTiles()[1]->accessibleName().contains("too similar to slot 1"));
    cameras[6].azimuth = 150;
    input().model().setCameras(cameras);
    EXPECT_EQ(slotTiles()[0]->warning(), "");
}

TEST_F(WindowViews, suggestsThreeViews_asOneUndoStep) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const Views best = ViewChooser(viewCandidates(*input().model().sample())).best();
    trigger(QStringLiteral("Suggest three views"));
    ASSERT_TRUE(waitUntil([&] { return views() != Views{0, 6, 7}; }));
    EXPECT_THAT(views(), testing::UnorderedElementsAreArray(best));
    EXPECT_TRUE(shows(views()));
    EXPECT_EQ(history().stack().count(), 1);
    for (const ViewTile* tile : slotTiles()) EXPECT_EQ(tile->warning(), "");
    history().stack().undo();
    EXPECT_TRUE(shows({0, 6, 7}));
}

TEST_F(WindowViews, showsATriedChoice_whenClicked) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    tryChoices();
    ViewTrials& trials = choices().trials();
    ASSERT_TRUE(waitUntil([&] { return !trials.isRunning(); }));
    EXPECT_EQ(trials.trials().size(), ViewTrials::kMaxTrials);
    QTableWidget& table = child<QTableWidget>(*choices().dialog(), "choices");
    ASSERT_EQ(table.rowCount(), static_cast<int>(ViewTrials::kMaxTrials));
    const auto row =
        static_cast<int>(std::ranges::find(trials.trials(), Views{0, 6, 7}, &ViewTrial::views) -
                         trials.trials().begin());
    ASSERT_LT(row, table.rowCount());
    EXPECT_EQ(table.item(row, 0)->text(), "0, 6, 7");
    EXPECT_TRUE(table.item(row, 3)->text().endsWith("chosen before, default"));
    EXPECT_NEAR(table.item(row, 2)->text().toDouble(),
                document().result.current()->evaluation()->result().measures.atTau().fScore, 0.006);
    const int other = row == 4 ? 5 : 4;
    const ViewTrial trial = trials.trials()[static_cast<std::size_t>(other)];
    const int completed = network().completed;
    table.scrollToItem(table.item(other, 0));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                      table.visualItemRect(table.item(other, 0)).center());
    EXPECT_TRUE(shows(trial.views));
    EXPECT_EQ(document().result.current()->mesh(MeshId::result),
              trial.result->mesh(MeshId::result));
    EXPECT_EQ(views(), trial.views);
    EXPECT_EQ(network().completed, completed);
    history().stack().undo();
    EXPECT_TRUE(shows({0, 6, 7}));
}

TEST_F(WindowViews, asksBeforeTryingChoices_withAnEstimateOfTheTime) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const int runs = network().runs;
    trigger(QStringLiteral("Try choices of views…"));
    QPointer<ViewTrialsDialog> asking(choices().dialog());
    ASSERT_FALSE(asking.isNull());
    ViewTrials& trials = choices().trials();
    EXPECT_FALSE(trials.isRunning());
    EXPECT_EQ(network().runs, runs);
    EXPECT_THAT(asking->state().toStdString(),
                testing::StartsWith("Runs the network up to 40 times: about "));
    EXPECT_EQ(child<QPushButton>(*asking, "start").text(), "Start");
    asking->close();
    ASSERT_TRUE(waitUntil([&] { return asking.isNull(); }));
    EXPECT_EQ(network().runs, runs);

    network().stageMilliseconds = 40;
    tryChoices();
    ASSERT_TRUE(waitUntil([&] { return trials.tried() >= 2; }));
    ViewTrialsDialog* dialog = choices().dialog();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(child<QPushButton>(*dialog, "start").text(), "Stop");
    EXPECT_THAT(dialog->state().toStdString(), testing::HasSubstr(" of 40 choices tried"));
    EXPECT_THAT(dialog->state().toStdString(), testing::EndsWith(" left"));
    QTest::mouseClick(&child<QPushButton>(*dialog, "start"), Qt::LeftButton);
    EXPECT_FALSE(trials.isRunning());
    EXPECT_EQ(child<QPushButton>(*dialog, "start").text(), "Try again");
}

TEST_F(WindowViews, keepsTheOrderOfTriedChoices_untilAHeadingIsClicked) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    tryChoices();
    ViewTrials& trials = choices().trials();
    QTableWidget& table = child<QTableWidget>(*choices().dialog(), "choices");
    const auto texts = [&](int column) {
        QStringList rows;
        for (int row = 0; row < table.rowCount(); ++row) rows << table.item(row, column)->text();
        return rows;
    };
    ASSERT_TRUE(waitUntil([&] { return table.rowCount() >= 5; }));
    const QStringList some = texts(0);
    ASSERT_TRUE(waitUntil([&] { return !trials.isRunning(); }));
    EXPECT_EQ(texts(0).mid(0, some.size()), some);
    EXPECT_EQ(texts(3).filter("best").size(), 1);
    table.setCurrentCell(4, 0);
    const QString selected = texts(0)[4];
    QHeaderView& header = *table.horizontalHeader();
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                      QPoint(header.sectionViewportPosition(1) + 8, header.height() / 2));
    const QStringList overlaps = texts(1);
    EXPECT_TRUE(std::ranges::is_sorted(overlaps, std::greater()));
    EXPECT_TRUE(texts(3).front().startsWith("best"));
    EXPECT_EQ(table.item(table.currentRow(), 0)->text(), selected);
}

TEST_F(WindowViews, triesChoicesInTheBackground_yieldingToClicks) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    network().stageMilliseconds = 40;
    tryChoices();
    ViewTrials& trials = choices().trials();
    ASSERT_TRUE(waitUntil([&] { return trials.tried() >= 1; }));
    const std::size_t before = trials.tried();
    input().model().putInto(2, 9);
    EXPECT_TRUE(shows({0, 6, 9}));
    EXPECT_LE(trials.tried(), before + 1);
    EXPECT_TRUE(trials.isRunning());
    EXPECT_TRUE(waitUntil([&] { return trials.tried() > before + 1; }));
    choices().dialog()->close();
    EXPECT_FALSE(trials.isRunning());
    const std::size_t stopped = trials.tried();
    QTest::qWait(300);  // time in which the next choice would be tried
    EXPECT_EQ(trials.tried(), stopped);
}

TEST_F(WindowViews, slotsAreSquareAndTheStripIsVisible_inASmallWindow) {
    for (const QSize size : {QSize(1024, 700), QSize(1600, 1000)}) {
        window().resize(size);
        ASSERT_TRUE(open(test::bundledSampleFolder()));
        settle();
        for (const ViewTile* tile : slotTiles()) {
            EXPECT_EQ(tile->width(), tile->height());
            EXPECT_GE(tile->width(), 64);
            EXPECT_FALSE(tile->visibleRegion().isEmpty());
        }
        // At least one row of the strip is visible without scrolling the panel.
        const ViewTile& first = *input().strip().tiles().front();
        EXPECT_EQ(first.visibleRegion().boundingRect(), first.rect()) << size.height();
        // The other rows are reached by the strip's own scroll bar.
        ViewTile& last = *input().strip().tiles().back();
        last.setFocus(Qt::TabFocusReason);
        QCoreApplication::processEvents();
        EXPECT_EQ(last.visibleRegion().boundingRect(), last.rect()) << size.height();
        EXPECT_FALSE(slotTiles().front()->visibleRegion().isEmpty());
        input().strip().tiles().front()->setFocus(Qt::TabFocusReason);
    }
}

TEST_F(WindowViews, ringFolds_whenManySlotsLeaveNoSpace) {
    window().resize(1024, 700);
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(ring().isVisible());
    while (slotTiles().size() < 8) input().model().addSlot();
    settle();
    EXPECT_FALSE(ring().isVisible());
    for (const ViewTile* tile : slotTiles()) EXPECT_EQ(tile->width(), tile->height());
}

}  // namespace
}  // namespace threefold::ui
