#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDoubleSpinBox>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <QWheelEvent>

#include "engine/formats/pictures/image.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/input/camera_editor.h"
#include "ui/input/data_set_browser.h"
#include "ui/input/input_panel.h"
#include "ui/input/outline_picture.h"
#include "ui/input/projected_mesh.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/undo_history.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/input/view_tiles.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

using Views = std::vector<int>;

class WindowInputs : public test::WindowTest {
  protected:
    InputPanel& input() { return window().input(); }
    const std::vector<ViewTile*>& slotTiles() { return input().viewSlots().tiles(); }
    const std::vector<ViewTile*>& stripTiles() { return input().strip().tiles(); }
    const Views& views() { return input().model().selection().views(); }
    SlotOutlines& outlines() { return *window().findChild<SlotOutlines*>(); }
    CameraEditor& editor() { return *window().findChild<CameraEditor*>(); }
    QDoubleSpinBox& field(const char* name) { return child<QDoubleSpinBox>(editor(), name); }
    UndoHistory& history() { return *window().findChild<UndoHistory*>(); }

    bool shows(const Views& wanted) {
        return waitUntil([&] {
            const ResultRef& result = window().document().result.current();
            return result && result->views == wanted;
        });
    }
    QPoint inWindow(const QWidget& widget) {
        return widget.mapTo(&window(), widget.rect().center());
    }
    // Scrolls to the widget, since the left side panel is higher than the window.
    static void reveal(QWidget& widget) {
        for (QWidget* at = widget.parentWidget(); at != nullptr; at = at->parentWidget()) {
            if (auto* area = qobject_cast<QScrollArea*>(at)) area->ensureWidgetVisible(&widget);
        }
        ASSERT_TRUE(widget.visibleRegion().contains(widget.rect().center()));
    }
    void pressAndMove(const QWidget& from, QPoint to) {
        QWindow* handle = window().windowHandle();
        const QPoint start = inWindow(from);
        QTest::mousePress(handle, Qt::LeftButton, {}, start);
        for (int step = 1; step <= 6; ++step) {
            QTest::mouseMove(handle, start + (to - start) * step / 6);
            QCoreApplication::processEvents();
        }
    }
    void dragTo(const QWidget& from, QPoint to) {
        pressAndMove(from, to);
        QTest::mouseRelease(window().windowHandle(), Qt::LeftButton, {}, to);
    }
};

TEST_F(WindowInputs, putsAViewIntoASlot_whenDroppedOnIt) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    reveal(*stripTiles()[9]);
    pressAndMove(*stripTiles()[9], inWindow(*slotTiles()[2]));
    EXPECT_TRUE(slotTiles()[2]->isDropTarget());
    EXPECT_FALSE(slotTiles()[1]->isDropTarget());
    QTest::mouseRelease(window().windowHandle(), Qt::LeftButton, {}, inWindow(*slotTiles()[2]));
    EXPECT_FALSE(slotTiles()[2]->isDropTarget());
    EXPECT_TRUE(shows({0, 6, 9}));
    EXPECT_EQ(stripTiles()[9]->accessibleName(), "View 9, in slot 3");
}

// Qt sends a press shortly after a click as MouseButtonDblClick.
TEST_F(WindowInputs, dragsAView_whenItWasJustClicked) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ViewTile& tile = *stripTiles()[9];
    const QPoint begin = tile.mapToGlobal(tile.rect().center());
    const QPoint end = slotTiles()[2]->mapToGlobal(slotTiles()[2]->rect().center());
    const auto send = [&tile](QEvent::Type type, QPoint global, Qt::MouseButton button,
                              Qt::MouseButtons held) {
        QMouseEvent event(type, tile.mapFromGlobal(global), global, button, held, {});
        QCoreApplication::sendEvent(&tile, &event);
    };
    send(QEvent::MouseButtonDblClick, begin, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, (begin + end) / 2, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseMove, end, Qt::NoButton, Qt::LeftButton);
    EXPECT_TRUE(slotTiles()[2]->isDropTarget());
    send(QEvent::MouseButtonRelease, end, Qt::LeftButton, Qt::NoButton);
    EXPECT_TRUE(shows({0, 6, 9}));
}

TEST_F(WindowInputs, swapsSlots_whenOneIsDroppedOnTheOther) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    dragTo(*slotTiles()[2], inWindow(*slotTiles()[0]));
    EXPECT_TRUE(shows({7, 6, 0}));
    EXPECT_EQ(slotTiles()[0]->badge(), "view 7 · ref.");
}

TEST_F(WindowInputs, changesNothing_whenADragEndsElsewhereOrIsCancelled) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const int runs = network().runs;
    reveal(*stripTiles()[9]);
    dragTo(*stripTiles()[9], inWindow(*window().centralWidget()));
    EXPECT_EQ(views(), (Views{0, 6, 7}));
    pressAndMove(*stripTiles()[9], inWindow(*slotTiles()[1]));
    QTest::keyClick(stripTiles()[9], Qt::Key_Escape);
    EXPECT_FALSE(slotTiles()[1]->isDropTarget());
    QTest::mouseRelease(window().windowHandle(), Qt::LeftButton, {}, inWindow(*slotTiles()[1]));
    EXPECT_EQ(views(), (Views{0, 6, 7}));
    EXPECT_EQ(network().runs, runs);
}

TEST_F(WindowInputs, choosesByEnterAndByDigits) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    stripTiles()[2]->setFocus();
    QTest::keyClick(stripTiles()[2], Qt::Key_Down);
    ViewTile* below = qobject_cast<ViewTile*>(QApplication::focusWidget());
    ASSERT_NE(below, nullptr);
    const int view = input().strip().indexOf(below);
    EXPECT_GT(view, 2);
    QTest::keyClick(below, Qt::Key_Return);
    EXPECT_EQ(views(), (Views{view, 6, 7}));
    QTest::keyClick(stripTiles()[4], Qt::Key_3);
    EXPECT_EQ(views(), (Views{view, 6, 4}));
    QTest::keyClick(stripTiles()[5], Qt::Key_8);  // there is no slot 8
    EXPECT_TRUE(shows({view, 6, 4}));
}

TEST_F(WindowInputs, hasOneTabStopForTheStrip_atItsLastFocus) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const auto stops = [&] {
        Views found;
        for (std::size_t view = 0; view < stripTiles().size(); ++view)
            if (stripTiles()[view]->focusPolicy() & Qt::TabFocus)
                found.push_back(static_cast<int>(view));
        return found;
    };
    EXPECT_EQ(stops(), (Views{0}));
    stripTiles()[0]->setFocus();
    QTest::keyClick(stripTiles()[0], Qt::Key_Right);
    EXPECT_TRUE(stripTiles()[1]->hasFocus());
    EXPECT_EQ(stops(), (Views{1}));
    QTest::keyClick(stripTiles()[1], Qt::Key_Tab);
    EXPECT_FALSE(stripTiles()[2]->hasFocus());
    QTest::mouseClick(stripTiles()[9], Qt::LeftButton);
    EXPECT_EQ(stops(), (Views{9}));
    settle();
}

TEST_F(WindowInputs, cutsNoBadge_ofASmallTile) {
    const auto edgesOf = [](const QString& note, const QString& badge) {
        ViewTile tile;
        tile.resize(44, 44);
        tile.setNote(note);
        tile.setBadge(badge);
        const QImage image = tile.grab().toImage();
        return std::pair(image.copy(0, 0, 3, 44), image.copy(41, 0, 3, 44));
    };
    EXPECT_EQ(edgesOf("IoU 0.89", {}).first, edgesOf({}, {}).first);
    EXPECT_EQ(edgesOf("IoU 0.89 → 0.99", {}).first, edgesOf({}, {}).first);
    EXPECT_EQ(edgesOf({}, "view 12 · ref.").second, edgesOf({}, {}).second);
}

TEST_F(WindowInputs, addsAndRemovesSlots_betweenTwoAndEight) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QToolButton* add = nullptr;
    QToolButton* remove = nullptr;
    for (QToolButton* button : input().findChildren<QToolButton*>()) {
        if (button->accessibleName() == "Add a slot") add = button;
        if (button->accessibleName() == "Remove the selected slot") remove = button;
    }
    ASSERT_TRUE(add && remove);
    for (int i = 0; i < 5; ++i) QTest::mouseClick(add, Qt::LeftButton);
    EXPECT_EQ(slotTiles().size(), 8U);
    EXPECT_FALSE(add->isEnabled());
    EXPECT_TRUE(shows({0, 6, 7, 1, 2, 3, 4, 5}));
    for (int i = 0; i < 6; ++i) QTest::keyClick(slotTiles()[0], Qt::Key_Delete);
    EXPECT_EQ(slotTiles().size(), 2U);
    EXPECT_FALSE(remove->isEnabled());
    EXPECT_TRUE(shows({4, 5}));
}

TEST_F(WindowInputs, movesViewsBetweenSlotsByKeyboard) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    slotTiles()[0]->setFocus();
    QTest::keyClick(slotTiles()[0], Qt::Key_Right);
    EXPECT_TRUE(slotTiles()[1]->hasFocus());
    QTest::keyClick(slotTiles()[1], Qt::Key_Right, Qt::ControlModifier);
    EXPECT_TRUE(slotTiles()[2]->hasFocus());
    EXPECT_TRUE(shows({0, 7, 6}));
}

TEST_F(WindowInputs, undoesAndRedoes_withoutRunningTheNetworkAgain) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QTest::mouseClick(stripTiles()[3], Qt::LeftButton);
    ASSERT_TRUE(shows({3, 6, 7}));
    const int runs = network().runs;
    trigger(Qt::CTRL | Qt::Key_Z);
    EXPECT_TRUE(shows({0, 6, 7}));
    EXPECT_EQ(views(), (Views{0, 6, 7}));
    EXPECT_EQ(window().windowTitle(), "airplane · p0001 — views 0, 6, 7 — Threefold");
    trigger(Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
    EXPECT_TRUE(shows({3, 6, 7}));
    EXPECT_EQ(network().runs, runs);
    EXPECT_FALSE(history().stack().canRedo());
    ASSERT_TRUE(open(test::bundledSampleFolder("03001627")));
    EXPECT_FALSE(history().stack().canUndo());
}

TEST_F(WindowInputs, undoes_afterAnotherSampleCouldNotBeOpened) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QTest::mouseClick(stripTiles()[3], Qt::LeftButton);
    ASSERT_TRUE(shows({3, 6, 7}));
    window().opener().openSample(test::sampleWithBrokenView(folder(), 6), kPublishedViews);
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_EQ(views(), (Views{3, 6, 7}));
    trigger(Qt::CTRL | Qt::Key_Z);
    EXPECT_TRUE(shows({0, 6, 7}));
    EXPECT_TRUE(history().stack().canRedo());
}

TEST_F(WindowInputs, drawsTheOutline_atTheMeshsProjection) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(
        waitUntil([&] { return outlines().isUpToDate() && !slotTiles()[1]->overlay().isNull(); }));
    const Result& result = *window().document().result.current();
    for (std::size_t slot = 0; slot < 3; ++slot) {
        const QImage& overlay = slotTiles()[slot]->overlay();
        const QRect photograph = slotTiles()[slot]->photographRect();
        EXPECT_EQ(overlay.size(), photograph.size() * window().devicePixelRatioF());
        const auto row = result.sample->cameraRows[static_cast<std::size_t>(views()[slot])];
        const ProjectedMesh projection =
            project(result.mesh(MeshId::result)->vertices, Camera::fromRow(row));
        const auto top =
            std::min_element(projection.pixels.begin(), projection.pixels.end(),
                             [](const glm::dvec2& a, const glm::dvec2& b) { return a.y < b.y; });
        const QPoint pixel(static_cast<int>(top->x * overlay.width() / kInputSide),
                           static_cast<int>(top->y * overlay.height() / kInputSide));
        EXPECT_GT(overlay.pixelColor(pixel).alpha(), 150);
        EXPECT_THAT(slotTiles()[slot]->note().toStdString(), testing::StartsWith("IoU 0."));
    }
}

TEST_F(WindowInputs, outlinesTheShownStage_inEachKindByKey) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(waitUntil([&] { return outlines().isUpToDate(); }));
    const QImage refined = slotTiles()[0]->overlay();
    Look look = window().document().look.current();
    look.morphPosition = test::kMorphCoarse;
    window().document().look.set(look);
    ASSERT_TRUE(waitUntil([&] { return outlines().isUpToDate(); }));
    const QImage coarse = slotTiles()[0]->overlay();
    EXPECT_NE(refined, coarse);
    trigger(Qt::Key_U);
    EXPECT_EQ(outlines().kind(), OutlineKind::wireframe);
    ASSERT_TRUE(waitUntil([&] { return outlines().isUpToDate(); }));
    EXPECT_NE(slotTiles()[0]->overlay(), coarse);
    trigger(Qt::Key_U);
    EXPECT_TRUE(waitUntil([&] { return slotTiles()[0]->overlay().isNull(); }));
    EXPECT_TRUE(slotTiles()[0]->note().isEmpty());
    trigger(Qt::Key_U);
    EXPECT_TRUE(waitUntil([&] { return slotTiles()[0]->overlay() == coarse; }));
}

TEST_F(WindowInputs, movesTheOutlineAtOnceAndReconstructsLater_whenACameraIsEdited) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger(Qt::Key_E);
    ASSERT_TRUE(editor().isVisible());
    ASSERT_TRUE(waitUntil([&] { return outlines().isUpToDate(); }));
    const QImage before = slotTiles()[0]->overlay();
    const double azimuth = field("azimuth").value();
    QTest::keyClick(&field("azimuth"), Qt::Key_PageUp);  // ten steps of 1°
    EXPECT_NEAR(field("azimuth").value(), azimuth + 10, 0.01);
    EXPECT_NEAR(input().model().sample()->cameraRows[0].azimuth, azimuth + 10, 0.01);
    ASSERT_TRUE(waitUntil([&] { return slotTiles()[0]->overlay() != before; }));
    ASSERT_TRUE(waitUntil(
        [&] { return window().document().result.current()->sample == input().model().sample(); }));
    // The edit can be undone.
    EXPECT_TRUE(history().stack().canUndo());
    trigger(Qt::CTRL | Qt::Key_Z);
    EXPECT_NEAR(field("azimuth").value(), azimuth, 0.01);
}

TEST_F(WindowInputs, turnsACameraByDragging_asOneUndoStep) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger(Qt::Key_E);
    const CameraRow before = input().model().sample()->cameraRows[6];
    const int steps = history().stack().count();
    dragTo(*slotTiles()[1], inWindow(*slotTiles()[1]) + QPoint(40, -20));
    const CameraRow after = input().model().sample()->cameraRows[6];
    EXPECT_GT(std::abs(after.azimuth - before.azimuth), 5);
    EXPECT_LT(after.elevation, before.elevation);
    EXPECT_EQ(after.distance, before.distance);
    EXPECT_EQ(history().stack().count(), steps + 1);
    QWheelEvent wheel(slotTiles()[1]->rect().center(), slotTiles()[1]->mapToGlobal(QPointF(20, 20)),
                      {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(slotTiles()[1], &wheel);
    EXPECT_LT(input().model().sample()->cameraRows[6].distance, before.distance);
    editor().reset();
    EXPECT_TRUE(input().model().sample()->cameraRows[6] == before);
}

TEST_F(WindowInputs, warns_whenTwoViewsHaveTheSameCamera) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger(Qt::Key_E);
    EXPECT_EQ(editor().warnings(), "");
    input().model().setCamera(6, input().model().sample()->cameraRows[0]);
    EXPECT_EQ(editor().warnings(), "Views 0 and 6 have the same camera.");
}

TEST_F(WindowInputs, turnsThePictureAndChangesItsLens_byTheEditor) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger(Qt::Key_E);
    EXPECT_NEAR(field("focalLength").value(), 39.9, 0.05);
    EXPECT_EQ(field("roll").value(), 0);
    const QImage before = input().images().value(0);
    field("roll").setValue(90);
    ASSERT_TRUE(waitUntil([&] { return input().images().value(0) != before; }));
    field("focalLength").setValue(80);
    const CameraRow row = input().model().sample()->cameraRows[0];
    EXPECT_EQ(row.inPlaneRotation, 90);
    EXPECT_NEAR(row.fieldOfView, 25.36, 0.01);  // 2 atan(18 mm / 80 mm)
    history().stack().undo();
    history().stack().undo();
    EXPECT_EQ(input().model().sample()->cameraRows[0].fieldOfView, kShapeNetFieldOfView);
}

TEST_F(WindowInputs, opensTheSample_whenACameraWasJustEdited) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    network().stageMilliseconds = 100;  // a run outlasts the pause that ends an edit
    input().model().setCamera(0, {.azimuth = 5, .elevation = 25, .distance = 0.8});
    window().opener().openSample(test::bundledSampleFolder("03001627"));
    ASSERT_TRUE(waitUntil([&] { return !document().run.state().isActive(); }));
    EXPECT_EQ(document().result.current()->sample->category, "03001627");
}

}  // namespace
}  // namespace threefold::ui
