#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <QWindow>

#include "engine/network/cpu_backend.h"
#include "tests/support/models.h"
#include "tests/ui/window_fixture.h"
#include "ui/files/export_commands.h"
#include "ui/input/input_panel.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/input/view_tiles.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/measures_table.h"
#include "ui/shell/status_line.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

class Window : public test::WindowTest {
  protected:
    bool titleIs(const QString& title) {
        return waitUntil([&] { return window().windowTitle() == title; });
    }
};

TEST_F(Window, showsHeatmapOfBothMeshes_onceReconstructed) {
    const QImage empty = picture();
    EXPECT_LT(test::mapFraction(empty), 0.001);
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QImage shown = picture();
    const int half = shown.width() / 2;
    EXPECT_GT(test::mapFraction(shown.copy(0, 0, half, shown.height())), 0.05);
    EXPECT_GT(test::mapFraction(shown.copy(half, 0, half, shown.height())), 0.05);
    EXPECT_EQ(window().windowTitle(), "airplane · p0001 — views 0, 6, 7 — Threefold");
    EXPECT_THAT(window().statusLine().text().toStdString(),
                testing::HasSubstr("truth: 02691156_p0001_00.dat"));
}

// Hues of viridis between yellow-green and blue, in degrees.
constexpr int kFirstHue = 100, kLastHue = 249;
// Fractions of the picture: a coloured mesh covers at least kCovered; stray pixels cover at most
// kNone.
constexpr double kCovered = 0.05, kNone = 0.001;

TEST_F(Window, showsOtherColours_whenChosen) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    window().document().look.set({.map = render::ColourMap::viridis});
    const QImage viridis = picture();
    EXPECT_GT(test::fractionOfHues(viridis, kFirstHue, kLastHue), kCovered);
    window().document().look.set({.quantity = Quantity::none});
    const QImage plain = picture();
    EXPECT_LT(test::fractionOfHues(plain, kFirstHue, kLastHue), kNone);
    window().document().look.set(
        {.shading = render::Shading::wireframe, .quantity = Quantity::none});
    EXPECT_GT(test::difference(plain, picture()), 0.02);
}

TEST_F(Window, orbitsBothPanes_whenDragged) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QImage before = picture();
    const PaneCameras cameras = viewport().cameras();
    drag({100, 150}, {220, 190});
    const QImage after = picture();
    EXPECT_FALSE(viewport().cameras() == cameras);
    const int half = before.width() / 2;
    for (const int left : {0, half}) {
        const QRect pane(left, 0, half, before.height());
        EXPECT_GT(test::difference(before.copy(pane), after.copy(pane)), 0.005);
    }
    EXPECT_GT(test::mapFraction(after), 0.05);
}

TEST_F(Window, pansZoomsAndFrames_byMouseAndKeys) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const glm::vec3 target = viewport().cameras().camera(0).target;
    const float distance = viewport().cameras().camera(0).distance;
    drag({100, 100}, {140, 120}, Qt::RightButton);
    EXPECT_FALSE(viewport().cameras().camera(0).target == target);
    QWheelEvent wheel({100, 100}, viewport().mapToGlobal(QPointF(100, 100)), {}, {0, 240},
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&viewport(), &wheel);
    EXPECT_LT(viewport().cameras().camera(0).distance, distance);
    QTest::mouseDClick(&viewport(), Qt::LeftButton, {}, {100, 100});
    EXPECT_EQ(viewport().cameras().camera(0).target, target);
    EXPECT_FLOAT_EQ(viewport().cameras().camera(0).distance, distance);
}

TEST_F(Window, reportsCameras_andWhetherTheUserMovedThem) {
    bool movedByUser = true;
    QObject context;
    QObject::connect(&viewport(), &Viewport::camerasChanged, &context,
                     [&] { movedByUser = viewport().camerasMovedByUser(); });
    viewport().frameMeshes();
    EXPECT_FALSE(movedByUser);
    viewport().framePoints(nullptr);
    EXPECT_TRUE(movedByUser);
}

TEST_F(Window, movesTheCameraByKeys_whenTheViewportHasTheFocus) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    pressKey(Qt::Key_2);
    EXPECT_TRUE(waitUntil([&] { return viewport().cameras().camera(0).pitch == 0.0F; }));
    pressKey(Qt::Key_0);
    const auto photo = window().document().result.current()->referenceCamera();
    EXPECT_TRUE(waitUntil([&] {
        return std::abs(viewport().cameras().camera(0).distance - glm::length(photo.centre)) < 1e-4;
    }));
    pressKey(Qt::Key_F);
    EXPECT_TRUE(waitUntil([&] {
        return std::abs(viewport().cameras().camera(0).distance - glm::length(photo.centre)) > 1e-4;
    }));
}

TEST_F(Window, turnsTheMeshByArrowKeys_andReleasesTheFocusByTab) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const render::OrbitCamera camera = viewport().cameras().camera(0);
    pressKey(Qt::Key_Left);
    EXPECT_NE(viewport().cameras().camera(0).yaw, camera.yaw);
    pressKey(Qt::Key_Minus);
    EXPECT_GT(viewport().cameras().camera(0).distance, camera.distance);
    pressKey(Qt::Key_Tab);
    EXPECT_TRUE(
        waitUntil([&] { return QGuiApplication::focusWindow() == window().windowHandle(); }));
    EXPECT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_NE(QApplication::focusWidget()->accessibleName(), "Meshes");
}

TEST_F(Window, drawsNothing_whileNothingChanges) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    expectNoFrameFor(500);
}

TEST_F(Window, reconstructsAgain_whenAViewIsClicked) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ViewStrip& strip = window().input().strip();
    ASSERT_EQ(strip.tiles().size(), 24U);
    QTest::mouseClick(strip.tiles()[3], Qt::LeftButton);
    EXPECT_TRUE(titleIs("airplane · p0001 — views 3, 6, 7 — Threefold"));
    EXPECT_EQ(strip.tiles()[3]->mark(), ViewTile::Mark::chosen);
    EXPECT_EQ(strip.tiles()[0]->mark(), ViewTile::Mark::none);
    QTest::mouseClick(strip.tiles()[7], Qt::LeftButton);  // swaps views 6 and 7
    EXPECT_TRUE(titleIs("airplane · p0001 — views 3, 7, 6 — Threefold"));
    const auto& slots = window().input().viewSlots().tiles();
    EXPECT_EQ(slots[0]->badge(), "view 3 · ref.");
    EXPECT_EQ(slots[2]->mark(), ViewTile::Mark::selected);
}

TEST_F(Window, reachesViewsByKeyboard) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ViewStrip& strip = window().input().strip();
    window().activateWindow();
    strip.tiles()[0]->setFocus();
    QTest::keyClick(strip.tiles()[0], Qt::Key_Right);
    EXPECT_TRUE(waitUntil([&] { return strip.tiles()[1]->hasFocus(); }));
    QTest::keyClick(strip.tiles()[1], Qt::Key_Space);
    EXPECT_TRUE(titleIs("airplane · p0001 — views 1, 6, 7 — Threefold"));
}

TEST_F(Window, showsThumbnailsOfAllViews) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    for (const ViewTile* tile : window().input().strip().tiles()) {
        EXPECT_TRUE(waitUntil([&] { return !tile->image().isNull(); }));
    }
    for (const ViewTile* tile : window().input().viewSlots().tiles()) {
        EXPECT_FALSE(tile->image().isNull());
    }
}

TEST_F(Window, exportsBothMeshes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QString written;
    QObject::connect(&window().exports(), &ExportCommands::saved, &window(),
                     [&](const QString& file) { written = file; });
    window().exports().exportTo({MeshFormat::obj,
                                 {{MeshId::firstPublished, "coarse"}, {MeshId::result, "refined"}},
                                 folder().path()});
    ASSERT_TRUE(waitUntil([&] { return !written.isEmpty(); }));
    EXPECT_TRUE(std::filesystem::exists(folder() / "02691156_p0001_00_coarse.obj"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "02691156_p0001_00_refined.obj"));
}

TEST_F(Window, savesPanesAtDoubleSize_andTheWholeWindow) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    int written = 0;
    QObject::connect(&window().exports(), &ExportCommands::saved, &window(), [&] { ++written; });
    window().exports().savePanes(folder() / "panes.png", viewport().size() * 2);
    window().exports().saveWindow(folder() / "window.png");
    ASSERT_TRUE(waitUntil([&] { return written == 2; }));
    const QImage panes(QString::fromStdString((folder() / "panes.png").string()));
    EXPECT_EQ(panes.size(), viewport().size() * 2);
    EXPECT_GT(test::mapFraction(panes), 0.05);
    const QImage whole(QString::fromStdString((folder() / "window.png").string()));
    EXPECT_EQ(whole.size(), window().size() * window().devicePixelRatioF());
    EXPECT_GT(test::mapFraction(whole), 0.02);
}

TEST_F(Window, changesTheLighting_byTheShadingMenu) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    window().document().look.set({.quantity = Quantity::none});
    QImage before = picture();
    for (const char* name : {"Edges", "Matcap", "Ambient occlusion"}) {
        trigger(name);
        EXPECT_TRUE(action(name)->isChecked()) << name;
        const QImage after = picture();
        EXPECT_NE(before, after) << name;  // ambient occlusion changes few pixels of a round body
        before = after;
    }
    const Look& look = window().document().look.current();
    EXPECT_TRUE(look.edges && look.ambientOcclusion && look.lighting == render::Lighting::matcap);
}

TEST_F(Window, showsMeasuresInTheInspector) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const auto& rows = window().inspector().measures().rows();
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_FALSE(rows[0][MeshId::firstPublished].isEmpty());
    EXPECT_TRUE(window().inspector().measures().isVisible());
}

TEST_F(Window, showsAnAboutDialog_withACitationToCopy) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger("About Threefold");
    const auto* box = window().findChild<QMessageBox*>();
    ASSERT_NE(box, nullptr);
    const QString text = box->informativeText();
    for (const char* each : {"MIT", "Vulkan · ", "Fake · no threads", "SHA-256 0123456789abcdef"})
        EXPECT_TRUE(text.contains(QString::fromUtf8(each))) << each;
    for (QAbstractButton* button : box->buttons()) {
        if (!button->text().contains("BibTeX")) continue;
        button->click();
        EXPECT_TRUE(box->isVisible());
    }
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith("@software{threefold,"));
}

TEST_F(Window, showsTheRealNetworksResult) {
    useNetwork([] { return oneDevice(makeCpuBackend(threefold::test::testModel())); });
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_EQ(window().document().result.current()->mesh(MeshId::result)->vertices.size(), 2466U);
    ASSERT_TRUE(window().document().result.current()->evaluation());
    const QImage shown = picture();
    EXPECT_GT(test::mapFraction(shown), 0.02);
    drag({100, 150}, {220, 190});
    EXPECT_GT(test::difference(shown, picture()), 0.005);
}

}  // namespace
}  // namespace threefold::ui
