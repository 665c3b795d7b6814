#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenuBar>
#include <QSlider>
#include <QTest>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/document/shown_document.h"
#include "ui/panes/number_label.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/pane_header.h"
#include "ui/panes/pane_headers.h"
#include "ui/panes/picking.h"
#include "ui/panes/stage_slider.h"
#include "ui/results/quantities.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

class Compare : public test::WindowTest {
  protected:
    void SetUp() override { ASSERT_TRUE(open(test::bundledSampleFolder())); }

    const Look& look() { return window().document().look.current(); }
    const Result& result() { return *window().document().result.current(); }
    PaneHeaders& headers() { return *window().findChild<PaneHeaders*>(); }
    StageSlider& slider() { return *window().findChild<StageSlider*>(); }
    QString readout() { return window().findChild<NumberLabel*>()->text(); }

    void show(const Look& look) { window().document().look.set(look); }

    // Position of a point in a pane's picture, in logical pixels of the viewport.
    QPoint positionOnScreen(std::size_t pane, glm::vec3 point) {
        const PaneCameras& cameras = viewport().cameras();
        const glm::vec2 size = cameras.paneSize();
        const render::OrbitCamera& camera = cameras.camera(pane);
        const glm::vec4 clip =
            camera.projectionMatrix(size.x / size.y) * camera.viewMatrix() * glm::vec4(point, 1);
        const glm::vec2 inPane = (glm::vec2(clip.x, clip.y) / clip.w * 0.5F + 0.5F) * size;
        const float left = inPane.x - cameras.inPane(pane, inPane).x;
        const double ratio = viewport().devicePixelRatio();
        return {qRound((inPane.x + left) / ratio), qRound(inPane.y / ratio)};
    }
    // Index of the vertex that is nearest to the pane's camera.
    std::size_t frontVertex(const render::SceneMesh& mesh, std::size_t pane) {
        const glm::vec3 cameraCentre = viewport().cameras().camera(pane).centre();
        std::size_t nearest = 0;
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
            const auto distance = [&](std::size_t v) {
                return glm::distance(cameraCentre, mesh.vertices[v]);
            };
            if (distance(i) < distance(nearest)) nearest = i;
        }
        return nearest;
    }
};

TEST_F(Compare, drawsOneMeshAlikeInBothPanes_atAnyWidth) {
    auto same = std::make_shared<OpenedMesh>();
    same->path = "/tmp/same.obj";
    same->mesh = result().mesh(MeshId::result);
    window().document().opened.set(MeshId::opened(1), same);
    show({.quantity = Quantity::none});
    for (const int width : {1200, 1201}) {
        window().resize(width, 800);
        ASSERT_TRUE(waitUntil([&] { return window().width() == width; }));
        const QImage shown = picture();
        const auto pane = static_cast<int>(viewport().cameras().paneSize().x);
        const int second = shown.width() - pane - (shown.width() - pane * 2 - 1) % 2;
        const QImage left = shown.copy(0, 0, pane, shown.height());
        // Coordinates are rounded relative to the whole picture, so a few multisamples at edges may
        // differ. A shift by one pixel makes over a hundred times that difference.
        const double found = test::difference(left, shown.copy(second, 0, pane, shown.height()));
        const double shifted =
            test::difference(left, shown.copy(second - 1, 0, pane, shown.height()));
        EXPECT_LT(found, 5e-5);
        EXPECT_GT(shifted, 100 * found);
        EXPECT_GT(shifted, 1e-3);
    }
}

TEST_F(Compare, changesTheLayout_byKeyAndInTheToolBar) {
    const QImage beside = picture();
    pressKey(Qt::Key_W);
    EXPECT_TRUE(waitUntil([&] { return look().paneLayout == PaneLayout::wipe; }));
    EXPECT_EQ(viewport().cameras().count(), 1U);
    EXPECT_GT(test::difference(beside, picture()), 0.01);
    pressKey(Qt::Key_O);
    EXPECT_TRUE(waitUntil([&] { return look().paneLayout == PaneLayout::overlay; }));
    for (QToolButton* button : window().findChildren<QToolButton*>()) {
        if (button->text() == "Side by side" || button->accessibleName() == "Side by side") {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    EXPECT_EQ(look().paneLayout, PaneLayout::sideBySide);
    EXPECT_EQ(test::difference(beside, picture()), 0.0);
    pressKey(Qt::Key_T);
    EXPECT_TRUE(waitUntil([&] { return look().truthPane; }));
    EXPECT_EQ(viewport().cameras().count(), 3U);
    ASSERT_NE(headers().headerOf(MeshId::truth), nullptr);
    EXPECT_EQ(headers().headerOf(MeshId::truth)->title(), "Truth");
    EXPECT_TRUE(headers().headerOf(MeshId::truth)->isVisible());
    settle();
}

TEST_F(Compare, wipesWithTheMouse_andByKeys) {
    pressKey(Qt::Key_W);
    ASSERT_TRUE(waitUntil([&] { return look().paneLayout == PaneLayout::wipe; }));
    const QImage before = picture();
    const render::OrbitCamera camera = viewport().cameras().camera(0);
    const int middle = viewport().width() / 2;
    QTest::mouseMove(&viewport(), {middle + 3, 200});
    EXPECT_TRUE(waitUntil([&] { return viewport().cursor().shape() == Qt::SplitHCursor; }));
    drag({middle + 3, 200}, {middle + 103, 220});
    EXPECT_NEAR(look().seamPosition, 0.5F + 100.0F / static_cast<float>(viewport().width()),
                0.005F);
    EXPECT_EQ(viewport().cameras().camera(0), camera);
    EXPECT_GT(test::difference(before, picture()), 0.001);
    const float fraction = look().seamPosition;
    pressKey(Qt::Key_Left, Qt::ControlModifier);
    EXPECT_TRUE(waitUntil([&] { return look().seamPosition < fraction; }));
    drag({100, 100}, {160, 120});  // a drag beside the seam orbits the meshes
    EXPECT_FALSE(viewport().cameras().camera(0) == camera);
    settle();
}

TEST_F(Compare, fadesTheSecondMesh_inAnOverlay) {
    EXPECT_FALSE(child<QSlider>(headers(), "opacity").isVisible());
    const int height = headers().height();
    pressKey(Qt::Key_O);
    ASSERT_TRUE(waitUntil([&] { return child<QSlider>(headers(), "opacity").isVisible(); }));
    EXPECT_EQ(headers().height(), height);
    pressKey(Qt::Key_X);  // draws the larger mesh over the smaller one
    ASSERT_TRUE(waitUntil([&] { return look().swapped; }));
    const QImage half = picture();
    child<QSlider>(headers(), "opacity").setFocus();
    QTest::keyClick(&child<QSlider>(headers(), "opacity"), Qt::Key_Home);
    EXPECT_EQ(look().opacity, 0.0F);
    EXPECT_GT(test::difference(half, picture()), 0.005);
}

TEST_F(Compare, elidesATitle_beforeTheSliderThatIsShownBesideIt) {
    PaneHeader header;
    const auto& label = *header.findChild<QLabel*>();
    auto* beside = new QSlider(Qt::Horizontal, &header);
    beside->setFixedSize(96, 12);
    beside->hide();
    header.addWidget(beside);
    const QString title = QStringLiteral("Fitted to photographs, textured");
    QFont bold = label.font();
    bold.setBold(true);
    header.resize(QFontMetrics(bold).horizontalAdvance(title) + 100, 32);
    header.setText({title, QString()}, true);
    header.show();
    ASSERT_TRUE(waitUntil([&] { return label.text().contains(title); })) << label.width();
    beside->show();
    EXPECT_TRUE(waitUntil([&] { return label.text().contains(QStringLiteral("…")); }));
    constexpr int kRounding = 2;
    EXPECT_LE(label.sizeHint().width(), label.width() + kRounding);
}

TEST_F(Compare, blinks_whileAKeyIsHeld) {
    settle();
    const QImage before = picture();
    activateViewport();
    QTest::keyPress(&viewport(), Qt::Key_B);
    EXPECT_TRUE(window().document().look.isBlinking());
    // Auto-repeat of a held key sends pairs of release and press events.
    for (const QEvent::Type type : {QEvent::KeyRelease, QEvent::KeyPress}) {
        QKeyEvent repeat(type, Qt::Key_B, {}, "b", true);
        QCoreApplication::sendEvent(&viewport(), &repeat);
        EXPECT_TRUE(window().document().look.isBlinking());
    }
    EXPECT_GT(test::difference(before, picture()), 0.002);
    QTest::keyRelease(&viewport(), Qt::Key_B);
    EXPECT_FALSE(window().document().look.isBlinking());
    EXPECT_EQ(test::difference(before, picture()), 0.0);
    QTest::keyPress(&viewport(), Qt::Key_B);
    EXPECT_TRUE(window().document().look.isBlinking());
    window().activateWindow();
    window().windowHandle()->requestActivate();
    EXPECT_TRUE(waitUntil([&] { return !window().document().look.isBlinking(); }));
}

TEST_F(Compare, swapsCamerasToo_whenUnlinkedPanesAreSwapped) {
    pressKey(Qt::Key_L);
    ASSERT_TRUE(waitUntil([&] { return !viewport().cameras().isLinked(); }));
    drag({100, 150}, {180, 170});
    const render::OrbitCamera first = viewport().cameras().camera(0);
    const render::OrbitCamera second = viewport().cameras().camera(1);
    ASSERT_FALSE(first == second);
    pressKey(Qt::Key_X);
    ASSERT_TRUE(waitUntil([&] { return look().swapped; }));
    EXPECT_EQ(viewport().cameras().camera(0), second);
    EXPECT_EQ(viewport().cameras().camera(1), first);
    EXPECT_EQ(headers().first().title(), "Refined");
    EXPECT_EQ(headers().second().title(), "Coarse");
    settle();
}

TEST_F(Compare, readsOutTheVertexUnderThePointer_inEitherPane) {
    settle();
    for (const std::size_t pane : {std::size_t{0}, std::size_t{1}}) {
        const MeshId id = pane == 0 ? MeshId::firstPublished : MeshId::result;
        const render::SceneMesh& mesh =
            pane == 0 ? *result().mesh(MeshId::firstPublished) : *result().mesh(MeshId::result);
        const std::size_t vertex = frontVertex(mesh, pane);
        const QPoint place = positionOnScreen(pane, mesh.vertices[vertex]);
        QTest::mouseMove(&viewport(), place);
        ASSERT_TRUE(waitUntil([&] {
            const auto& hovered = window().document().pointed.hovered();
            return hovered && hovered->id == id;
        }));
        const std::size_t found = window().document().pointed.hovered()->index;
        EXPECT_LE((positionOnScreen(pane, mesh.vertices[found]) - place).manhattanLength(), 4);
        const std::string text = readout().toStdString();
        EXPECT_THAT(text, testing::HasSubstr(pane == 0 ? "coarse #" : "refined #"));
        EXPECT_THAT(text, testing::HasSubstr("object units"));
        EXPECT_THAT(text, testing::HasSubstr("world"));
        EXPECT_THAT(text, testing::HasSubstr("camera"));
    }
    QTest::mouseMove(&viewport(), {3, 3});
    EXPECT_TRUE(waitUntil([&] { return !window().document().pointed.hovered(); }));
    EXPECT_TRUE(readout().isEmpty());
    settle();
}

TEST_F(Compare, stepsThroughTheWorstVertices) {
    const auto& marked = window().document().pointed.marked();
    pressKey(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return marked.has_value(); }));
    const SurfaceValues values = surfaceValues(window().shownDocument(), MeshId::result);
    const std::size_t worst = marked->index;
    EXPECT_EQ(marked->id, MeshId::result);
    EXPECT_EQ((*values.values)[worst], values.sorted->back());
    EXPECT_THAT(window().statusLine().text().toStdString(),
                testing::HasSubstr("Worst vertex 1 of"));
    EXPECT_FALSE(readout().isEmpty());
    pressKey(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return marked->index != worst; }));
    EXPECT_LE((*values.values)[marked->index], (*values.values)[worst]);
    pressKey(Qt::Key_N, Qt::ShiftModifier);
    ASSERT_TRUE(waitUntil([&] { return marked->index == worst; }));
    pressKey(Qt::Key_Escape);
    EXPECT_TRUE(waitUntil([&] { return !marked.has_value(); }));
    settle();
}

TEST_F(Compare, reportsThatNoVertexHasAValue_whenTheWorstIsSought) {
    const render::SceneMeshRef mesh = result().mesh(MeshId::result);
    const std::vector<float> none(mesh->vertices.size(), std::numeric_limits<float>::quiet_NaN());
    auto opened = std::make_shared<OpenedMesh>(OpenedMesh{"/tmp/other.ply", mesh});
    opened->scalars = std::make_shared<const std::vector<VertexScalars>>(
        std::vector<VertexScalars>{{"error", none}});
    window().document().opened.set(MeshId::opened(1), opened);
    window().document().look.change([](Look& look) { look.quantity = Quantity::fileValues; });
    ASSERT_TRUE(waitUntil([&] {
        return static_cast<bool>(surfaceValues(window().shownDocument(), MeshId::opened(1)).values);
    }));
    for (int i = 0; i < 2; ++i) {
        window().statusLine().showMessage({});
        pressKey(Qt::Key_N);
        EXPECT_TRUE(
            waitUntil([&] { return window().statusLine().text() == "No vertex has a value"; }));
    }
    EXPECT_FALSE(window().document().pointed.marked().has_value());
}

TEST_F(Compare, turnsTheCamera_onlyWhenTheWorstVertexIsHidden) {
    const auto& marked = window().document().pointed.marked();
    pressKey(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return marked.has_value(); }));
    settle();
    EXPECT_TRUE(waitUntil([&] { return !viewport().isTurning(); }));
    const glm::vec3 point = result().mesh(MeshId::result)->vertices[marked->index];
    const PickTree tree(result().mesh(MeshId::result));
    EXPECT_FALSE(tree.isOccluded(marked->index, viewport().cameras().camera(1).centre()));
    // From the other side of the mesh, the camera does not see the vertex. N turns the camera to
    // the vertex.
    pressKey(Qt::Key_Escape);
    ASSERT_TRUE(waitUntil([&] { return !marked.has_value(); }));
    const glm::vec3 away = viewport().cameras().camera(1).target - point;
    viewport().turnTo(1, std::atan2(away.x, away.z), 0);
    ASSERT_TRUE(waitUntil([&] { return !viewport().isTurning(); }));
    pressKey(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return marked.has_value() && !viewport().isTurning(); }));
    settle();
    EXPECT_FALSE(tree.isOccluded(marked->index, viewport().cameras().camera(1).centre()));
}

TEST_F(Compare, movesTheMeshThroughItsStages_byMouseAndKeys) {
    EXPECT_EQ(look().morphPosition, kMorphResult);
    const QImage before = picture();
    QTest::mouseClick(&slider(), Qt::LeftButton, {}, slider().dotCentre(3));
    EXPECT_TRUE(waitUntil([&] { return look().morphPosition == test::kMorphCoarse; }));
    EXPECT_TRUE(waitUntil([&] { return !slider().isPlaying(); }));
    EXPECT_EQ(meshOf(window().document(), MeshId::result)->vertices,
              result().mesh(MeshId::firstPublished)->vertices);
    EXPECT_EQ(headers().second().title(), "Coarse");
    EXPECT_GT(test::difference(before, picture()), 0.001);
    // Dragging the dot stops the morph between two stages.
    const QPoint from = slider().dotCentre(3);
    const QPoint to = (slider().dotCentre(4) + slider().dotCentre(5)) / 2;
    QTest::mousePress(&slider(), Qt::LeftButton, {}, from);
    for (int step = 1; step <= 4; ++step)
        QTest::mouseMove(&slider(), from + (to - from) * step / 4);
    QTest::mouseRelease(&slider(), Qt::LeftButton, {}, to);
    EXPECT_NEAR(look().morphPosition, -0.5F, 0.02F);
    EXPECT_EQ(headers().second().title(), "Refined 1 → Refined");
    slider().setFocus();
    QTest::keyClick(&slider(), Qt::Key_End);
    EXPECT_EQ(look().morphPosition, kMorphResult);
    QTest::keyClick(&slider(), Qt::Key_PageDown);
    EXPECT_TRUE(waitUntil([&] { return look().morphPosition == test::kMorphRefined1; }));
    settle();
}

TEST_F(Compare, staysAtTheResult_whenTheNextModelHasOtherStages) {
    for (const Reconstruction& made :
         {test::reconstructionWithoutStage2(), test::reconstructionWithThreeBlocks()}) {
        const ResultRef result = makeResult(test::bundledSample(), {0, 6, 7}, made);
        window().document().result.set(result);
        EXPECT_EQ(look().morphPosition, kMorphResult);
        EXPECT_EQ(slider().value(),
                  static_cast<int>(result->morph.resultIndex()) * StageSlider::kStep);
        EXPECT_EQ(slider().maximum(), slider().value());
    }
    settle();
}

TEST_F(Compare, playsTheStages_andStopsAtAClick) {
    QToolButton& play = *window().findChild<QWidget*>("stageStrip")->findChild<QToolButton*>();
    QTest::mouseClick(&play, Qt::LeftButton);
    EXPECT_TRUE(slider().isPlaying());
    EXPECT_LT(look().morphPosition, -4.9F);
    EXPECT_TRUE(waitUntil([&] { return look().morphPosition > -4.5F; }));
    slider().setFocus();
    QTest::keyClick(&slider(), Qt::Key_Left);
    EXPECT_FALSE(slider().isPlaying());
    slider().play();
    EXPECT_TRUE(waitUntil([&] { return !slider().isPlaying(); }));
    EXPECT_EQ(look().morphPosition, kMorphResult);
    settle();
    expectNoFrameFor(300);
}

TEST_F(Compare, looksFromTheCameraOfEachPhotograph) {
    for (const std::size_t slot : {std::size_t{1}, std::size_t{2}}) {
        pressKey(static_cast<Qt::Key>(Qt::Key_1 + slot), Qt::ControlModifier);
        const auto row = static_cast<std::size_t>(result().views[slot]);
        const Camera photo = Camera::fromRow(result().sample->cameraRows[row]);
        EXPECT_TRUE(waitUntil([&] {
            return glm::distance(viewport().cameras().camera(0).centre(), glm::vec3(photo.centre)) <
                   1e-4F;
        }));
    }
    settle();
}

TEST_F(Compare, replacesTheCoarseMesh_withTheOpenedOne) {
    auto opened = std::make_shared<OpenedMesh>();
    opened->path = "/tmp/another mesh.obj";
    auto cloud = std::make_shared<render::SceneMesh>();
    cloud->vertices = result().mesh(MeshId::firstPublished)->vertices;
    opened->mesh = cloud;
    window().document().opened.set(MeshId::opened(1), opened);
    EXPECT_EQ(headers().first().title(), "another mesh.obj");
    EXPECT_THAT(headers().first().detail().toStdString(), testing::HasSubstr("points"));
    settle();
}

}  // namespace
}  // namespace threefold::ui
