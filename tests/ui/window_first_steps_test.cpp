// Tests the first steps of a new user: first picture, photographs, values at the pointer, list of
// keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QProcess>
#include <QScreen>
#include <QTest>
#include <QToolButton>

#include "engine/formats/meshes/mesh_writing.h"
#include "engine/sample/bundled_samples.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/session.h"
#include "ui/files/opened_files.h"
#include "ui/panes/make_scene.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/pointer_tip.h"
#include "ui/style/theme.h"
#include "ui/window/shortcuts_sheet.h"

namespace threefold::ui {
namespace {

using testing::HasSubstr;

class FirstSteps : public test::WindowTest {
  protected:
    const PointerTip& tip() { return *window().findChild<PointerTip*>("pointerTip"); }
    QRect tipInPanes() {
        return {viewport().mapFromGlobal(tip().mapToGlobal(QPoint(0, 0))), tip().size()};
    }
    /// Moves the pointer along `places` until it is over a vertex; false if it never is.
    bool hover(const std::vector<QPoint>& places) {
        for (const QPoint place : places) {
            QTest::mouseMove(&viewport(), place);
            if (QTest::qWaitFor([&] { return document().pointed.hovered().has_value(); }, 300)) {
                pointer_ = place;
                return true;
            }
        }
        return false;
    }
    /// Points on a horizontal line across the panes.
    std::vector<QPoint> across(int y) {
        std::vector<QPoint> places;
        for (int x = 8; x < viewport().width(); x += 16) places.emplace_back(x, y);
        return places;
    }

    QPoint pointer_;
};

TEST_F(FirstSteps, beginWithTheFirstBundledSample) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_CONFIG_HOME", QString::fromStdString(folder().path().string()));
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(THREEFOLD_PROGRAM, {"--quit"});
    ASSERT_TRUE(program.waitForFinished(120000));
    ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    const auto sample = readSession(folder() / "Threefold" / "last.threefold").sample;
    EXPECT_EQ(sample->id, "wood_toy");
    EXPECT_EQ(sample->viewCount(), 12U);
}

TEST_F(FirstSteps, showPhotographTextureAndError_ofTheBundledPhotographs) {
    using testing::ElementsAre;
    const auto shown = ElementsAre(MeshId::photograph, MeshId::textured, MeshId::fitted);
    document().fit.setChoice({true, FitViews::Kind::chosen, FitSource::network});
    window().files().open({.files = bundledPhotographs()});
    // The layout has three panes from the first picture on, and does not change while they fill.
    std::size_t panesAtFirst = 0;
    EXPECT_TRUE(waitUntil([&] { return document().run.state().isReconstructing(); }));
    EXPECT_TRUE(waitUntil(
        [&] { return document().run.state().sample() != nullptr || document().result.current(); }));
    panesAtFirst = viewport().cameras().count();
    EXPECT_EQ(panesAtFirst, 3U);
    ASSERT_TRUE(waitUntil([&] {
        return document().result.current() && document().result.current()->mesh(MeshId::fitted) &&
               !document().fit.isPending();
    }));
    EXPECT_THAT(shownIds(document()), shown);
    // Pane 1 shows the texture, and pane 2 shows the distances.
    const auto layersOf = [&](std::size_t pane) {
        return makeScene(window().shownDocument(), themeColours(Theme::dark)).panes.at(pane).layers;
    };
    EXPECT_TRUE(
        waitUntil([&] { return layersOf(1).at(0).colouring == render::Colouring::texture; }));
    EXPECT_EQ(layersOf(1).at(0).mesh, document().result.current()->mesh(MeshId::fitted));
    EXPECT_EQ(layersOf(2).at(0).mesh, document().result.current()->mesh(MeshId::fitted));
    EXPECT_EQ(layersOf(2).at(0).colouring, render::Colouring::values);
    // An opened mesh gets a pane beside those of the layout.
    const std::filesystem::path mesh = folder() / "beside.ply";
    writeMesh(mesh, MeshFormat::ply,
              {{{0, 0, 0}, {0.3F, 0, 0}, {0, 0.3F, 0}, {0, 0, 0.3F}},
               {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    window().files().open({.files = {mesh}});
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    EXPECT_EQ(shownIds(document()).size(), 4U);
    EXPECT_EQ(shownIds(document()).back(), MeshId::opened(1));
    // The default layout for photographs is dropped when another sample is opened; a layout that
    // the user chose stays, and the opened mesh gets a pane again when it is shown again.
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(document().look.current().panes.empty());
    document().look.change([](Look& look) { look.panes = {MeshId::truth}; });
    window().files().open({.files = bundledPhotographs()});
    ASSERT_TRUE(waitUntil([&] { return document().result.current()->sample->id == "wood_toy"; }));
    EXPECT_THAT(shownIds(document()), ElementsAre(MeshId::truth, MeshId::opened(1)));
}

TEST_F(FirstSteps, frameThePhotograph_beforeAMeshExists) {
    document().fit.setChoice({true, FitViews::Kind::chosen, FitSource::network});
    network().held = RunStep::cnn1;
    window().files().open({.files = bundledPhotographs()});
    const auto drawn = [&]() -> std::optional<render::Pane> {
        const auto scene = viewport().sceneFor({300, 300});
        if (!scene || scene->panes.empty()) return {};
        const render::Pane& pane = scene->panes[0];
        const bool showsPhotograph = !pane.layers.empty() && pane.layers[0].onlySeenFrom;
        return showsPhotograph ? std::optional(pane) : std::nullopt;
    };
    ASSERT_TRUE(waitUntil([&] { return drawn().has_value(); }));
    EXPECT_EQ(document().run.shownResult(MeshId::firstPublished), nullptr);
    // The pane's camera is at the photograph's camera.
    const CameraRow row = document().run.state().sample()->cameraRows[0];
    const render::Pane pane = *drawn();
    EXPECT_LT(glm::distance(pane.camera.centre(), glm::vec3(Camera::fromRow(row).centre)), 1e-4F);
    const float before = viewport().cameras().camera(0).distance;
    network().held = RunStep::load;
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != nullptr; }));
    settle();
    // Without a mesh, the camera's distance suits the object's box. The fake mesh, a sphere, is
    // about as large as that box.
    EXPECT_GT(before, 0.5F * viewport().cameras().camera(0).distance);
    EXPECT_LT(before, 2 * viewport().cameras().camera(0).distance);
}

TEST_F(FirstSteps, showTheVertexsValue_besideThePointer) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    ASSERT_TRUE(hover(across(viewport().height() / 2)));
    ASSERT_TRUE(tip().isVisible());
    const std::string lines = tip().lines().join('\n').toStdString();
    EXPECT_THAT(lines, HasSubstr("coarse #"));
    EXPECT_THAT(lines, HasSubstr("object units"));
    EXPECT_THAT(lines, HasSubstr("world"));
    EXPECT_FALSE(tipInPanes().adjusted(-12, -12, 12, 12).contains(pointer_));
    EXPECT_LT((tipInPanes().topLeft() - pointer_).manhattanLength(), 60);
    // The tooltip is visible on the screen, not covered by the panes' window.
    const QRect place(tip().mapToGlobal(QPoint(0, 0)), tip().size());
    const auto fraction = [&] {
        const QImage seen = window()
                                .screen()
                                ->grabWindow(0, place.x(), place.y(), place.width(), place.height())
                                .toImage();
        const QColor background = themeColours(window().palette()).raised;
        int found = 0;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x)
                found += seen.pixelColor(x, y) == background ? 1 : 0;
        return static_cast<double>(found) / (seen.width() * seen.height());
    };
    EXPECT_TRUE(waitUntil([&] { return fraction() > 0.5; }));
    QTest::mouseMove(&viewport(), {3, 3});
    EXPECT_TRUE(waitUntil([&] { return !tip().isVisible(); }));
}

TEST_F(FirstSteps, keepTheTooltipInsideThePanes_atAnyPointerPosition) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QPoint last(viewport().width() - 10, viewport().height() - 10);
    // A point over the second pane's mesh.
    QPoint middle(viewport().width() * 3 / 4, viewport().height() / 2);
    for (const QPoint corner : {last, QPoint(last.x(), 10)}) {
        drag(middle, corner, Qt::RightButton);
        middle = corner;
        settle();
        std::vector<QPoint> near;
        for (int step = 0; step < 8; ++step)
            near.push_back(corner + QPoint(-2 * step, corner == last ? -2 * step : 2 * step));
        document().pointed.setHovered(std::nullopt);
        ASSERT_TRUE(hover(near));
        EXPECT_TRUE(tip().isVisible());
        EXPECT_TRUE(QRect(QPoint(0, 0), viewport().size()).contains(tipInPanes()));
        EXPECT_FALSE(tipInPanes().contains(pointer_));
    }
}

TEST_F(FirstSteps, listKeys_whichAreNoShortcuts) {
    QStringList lines;
    window().activateWindow();
    ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
    QTest::keyClick(&window(), Qt::Key_F1);
    for (const QString& line : window().findChild<ShortcutsSheet*>()->lines()) lines << line;
    EXPECT_TRUE(lines.contains("B\tBlink (hold)"));
    EXPECT_TRUE(lines.contains("1 to 8\tPut the view into that slot"));
    EXPECT_TRUE(lines.contains("Delete\tRestore the default range"));
}

TEST_F(FirstSteps, restoreTheFocus_whenTheListOfKeysCloses) {
    window().activateWindow();
    ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
    auto* button = window().findChild<QToolButton*>("quantity");
    button->setFocus();
    QTest::keyClick(&window(), Qt::Key_F1);
    auto* sheet = window().findChild<ShortcutsSheet*>();
    ASSERT_TRUE(sheet->isVisible());
    QTest::keyClick(&child<QLineEdit>(*sheet, "search"), Qt::Key_Escape);
    EXPECT_FALSE(sheet->isVisible());
    EXPECT_EQ(window().focusWidget(), button);
    // If no widget had the focus, no widget gets the focus when the list closes.
    window().setFocus();
    QTest::keyClick(&window(), Qt::Key_F1);
    QTest::keyClick(&child<QLineEdit>(*sheet, "search"), Qt::Key_Escape);
    EXPECT_EQ(qobject_cast<QToolButton*>(window().focusWidget()), nullptr);
}

}  // namespace
}  // namespace threefold::ui
