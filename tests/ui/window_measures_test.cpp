// Numbers of any mesh, results beside each other, and distances, as a person gets them.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include "engine/formats/meshes/mesh_files.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/quantities.h"
#include "ui/files/drop_target.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_files.h"
#include "ui/input/input_panel.h"
#include "ui/input/view_slots.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/measures_table.h"
#include "ui/inspect/results_list.h"
#include "ui/panes/compare_hover.h"
#include "ui/panes/pane_header.h"
#include "ui/panes/picking.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class WindowMeasures : public test::WindowTest {
  protected:
    template <class Feature>
    Feature& feature() {
        return *window().findChild<Feature*>();
    }
    Inspector& inspector() { return window().inspector(); }
    MeasureRow row(std::size_t i) { return inspector().measures().rows().at(i); }
    std::string bar() { return feature<OpenedBar>().text().toStdString(); }

    /// A tetrahedron in world space.
    fs::path writeTetrahedron(const std::string& name, float size = 0.3F) {
        const fs::path file = folder() / name;
        writeMesh(file, meshFormatFromName(file.extension().string()).value(),
                  {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
        return file;
    }
    /// Drops onto the panes; what the hint said.
    std::string drop(const std::vector<fs::path>& files,
                     Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QMimeData data;
        QList<QUrl> urls;
        for (const fs::path& file : files)
            urls << QUrl::fromLocalFile(QString::fromStdString(file.string()));
        data.setUrls(urls);
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(&viewport(), &enter);
        const std::string hint = feature<DropTarget>().hint().toStdString();
        QDropEvent event({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(&viewport(), &event);
        return hint;
    }
    bool compare(const fs::path& file) {
        const OpenedMeshRef before = document().opened();
        drop({file});
        return waitUntil([&] { return document().opened() != before; });
    }
    bool measured() {
        return waitUntil([&] {
            return !document().measured()->meshes().empty() && !document().measured()->busy();
        });
    }
    void key(Qt::Key which, Qt::KeyboardModifiers modifiers = {}) {
        viewport().requestActivate();
        ASSERT_TRUE(waitUntil([&] { return QGuiApplication::focusWindow() == &viewport(); }));
        QTest::keyClick(&viewport(), which, modifiers);
    }
    /// Where a point appears in a pane, in logical pixels of the panes.
    QPoint placeOf(std::size_t pane, glm::vec3 point) {
        const PaneCameras& cameras = viewport().cameras();
        const glm::vec2 size = cameras.paneSize();
        const render::OrbitCamera& camera = cameras.camera(pane);
        const glm::vec4 clip =
            camera.projectionMatrix(size.x / size.y) * camera.viewMatrix() * glm::vec4(point, 1);
        const glm::vec2 inPane = (glm::vec2(clip.x, -clip.y) / clip.w * 0.5F + 0.5F) * size;
        const float left = inPane.x - cameras.inPane(pane, inPane).x;
        const double ratio = viewport().devicePixelRatio();
        return {qRound((inPane.x + left) / ratio), qRound(inPane.y / ratio)};
    }
    /// Vertices that nothing hides, far from each other in the picture.
    std::vector<std::size_t> seen(const render::SceneMeshRef& mesh, std::size_t pane) {
        const PickTree tree(mesh);
        const glm::vec3 eye = viewport().cameras().camera(pane).eye();
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < mesh->vertices.size(); ++i) {
            if (tree.hides(i, eye)) continue;
            const auto close = [&](std::size_t other) {
                return (placeOf(pane, mesh->vertices[i]) - placeOf(pane, mesh->vertices[other]))
                           .manhattanLength() < 60;
            };
            if (std::none_of(found.begin(), found.end(), close)) found.push_back(i);
        }
        return found;
    }
    QString distance() { return window().findChild<ReadOut*>("distanceReadOut")->text(); }
};

TEST_F(WindowMeasures, giveADroppedMeshItsNumbersEverywhere) {
    ASSERT_TRUE(open(test::bundledItem()));
    EXPECT_EQ(row(1).opened, "");
    ASSERT_TRUE(compare(writeTetrahedron("another_program_with_a_long_name.obj")));
    ASSERT_TRUE(measured());
    // Its column, under its name.
    const MeasuresTable& table = inspector().measures();
    EXPECT_EQ(table.openedName(), "another_program_with_a_long_name.obj");
    const MeasuredMesh mesh = document().measured()->mesh(MeshRole::opened1);
    ASSERT_TRUE(mesh.scores);
    const QString f = row(1).opened;
    EXPECT_EQ(f.toDouble(), qRound(mesh.scores->measures.atTau().f * 100) / 100.0);
    bool headed = false;
    bool shown = false;
    for (const QLabel* label : table.findChildren<QLabel*>()) {
        if (!label->isVisible()) continue;
        headed = headed ||
                 (label->toolTip() == table.openedName() && label->text().contains(QChar(0x2026)));
        shown = shown || label->text() == f;
    }
    EXPECT_TRUE(headed && shown);
    // Its curve, and the line of numbers under the plot.
    ASSERT_EQ(inspector().plot().curves().size(), 3U);
    EXPECT_EQ(inspector().plot().curves()[2].role, MeshRole::opened1);
    inspector().plot().setFocus();
    EXPECT_THAT(inspector().plot().readout().toStdString(), HasSubstr("another_pro"));
    // Above its pane.
    const QString above = feature<PaneHeaders>().first().detail();
    EXPECT_THAT(above.toStdString(), HasSubstr("F(τ) "));
    // Its colours, in both directions.
    for (const Quantity quantity : {Quantity::distanceToTruth, Quantity::distanceFromTruth}) {
        document().changeLook([&](Look& look) { look = withQuantity(look, quantity); });
        EXPECT_TRUE(
            waitUntil([&] { return bool(surfaceValues(document(), MeshRole::opened1).values); }));
    }
    trigger(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    const std::string csv = QApplication::clipboard()->text().toStdString();
    EXPECT_THAT(csv, HasSubstr("\nrefined,published,0.0001,"));
    EXPECT_THAT(csv, HasSubstr("\nanother_program_with_a_long_name.obj,published,0.0001,4,"));
}

TEST_F(WindowMeasures, areExportedAsATable) {
    ASSERT_TRUE(open(test::bundledItem()));
    trigger(QStringLiteral("Export measures…"));
    const QPointer<QFileDialog> dialog(window().findChild<QFileDialog*>());
    ASSERT_FALSE(dialog.isNull());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    EXPECT_THAT(name->text().toStdString(), HasSubstr("_measures.csv"));
    const fs::path file = folder() / "measures.csv";
    name->setText(QString::fromStdString(file.string()));
    QTest::keyClick(name, Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return fs::exists(file); }));
    std::ifstream text(file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(text), {}),
              measuresCsv(document().measured()->meshes()));
}

TEST_F(WindowMeasures, giveAMeshAgainstItselfEverything_underTheSurfaceProtocol) {
    ASSERT_TRUE(open(test::bundledItem()));
    const fs::path mesh = writeTetrahedron("truth.obj");
    ASSERT_TRUE(compare(mesh));
    const ResultRef before = document().result();
    drop({mesh}, Qt::ShiftModifier);
    ASSERT_TRUE(waitUntil([&] { return document().result() != before; }));
    ASSERT_TRUE(measured());
    EXPECT_LT(row(1).opened.toDouble(), 100.0);
    EXPECT_THAT(inspector().protocolButton().toolTip().toStdString(),
                HasSubstr("its vertices are not these points"));
    const QString published = row(1).refined;
    const QString above = feature<PaneHeaders>().second().detail();
    // By the button where the measures stand.
    QToolButton& button = inspector().protocolButton();
    EXPECT_TRUE(button.isVisible());
    EXPECT_THAT(button.text().toStdString(), HasSubstr("Published"));
    button.menu()->actions().at(1)->trigger();
    EXPECT_EQ(row(1).opened, "…");
    ASSERT_TRUE(measured());
    EXPECT_THAT(button.text().toStdString(), HasSubstr("Surface"));
    EXPECT_EQ(row(1).opened, "100.00");
    EXPECT_NE(row(1).refined, published);
    EXPECT_NE(feature<PaneHeaders>().second().detail(), above);
    EXPECT_THAT(inspector().protocolButton().toolTip().toStdString(),
                HasSubstr("A mesh against itself gives 100 %"));
    EXPECT_FALSE(inspector().problems().isVisible());
    // And back by its key.
    key(Qt::Key_P, Qt::ShiftModifier);
    EXPECT_TRUE(waitUntil([&] { return row(1).refined == published; }));
    settle();
}

TEST_F(WindowMeasures, showSeveralOpenedMeshes_eachInThePaneThatItWasOpenedFor) {
    ASSERT_TRUE(open(test::bundledItem()));
    ASSERT_TRUE(compare(writeTetrahedron("first.obj")));
    drop({writeTetrahedron("second.obj", 0.2F), writeTetrahedron("third.obj", 0.1F)});
    ASSERT_TRUE(waitUntil([&] { return document().openedRoles().size() == 3; }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(viewport().cameras().count(), 4U);
    EXPECT_FALSE(row(1).opened.isEmpty());
    EXPECT_EQ(row(1).further.size(), 2U);
    EXPECT_EQ(inspector().plot().curves().size(), 5U);
    EXPECT_TRUE(waitUntil([&] {
        return std::ranges::all_of(kOpenedRoles, [&](MeshRole role) {
            return bool(surfaceValues(document(), role).values);
        });
    }));

    PaneHeaders& headers = feature<PaneHeaders>();
    const auto choose = [&](std::size_t place, const QString& text, const QString& in = {}) {
        QMenu menu;
        headers.fill(menu, place);
        const QMenu* where = &menu;
        for (const QMenu* each : menu.findChildren<QMenu*>())
            if (each->title().remove('&') == in) where = each;
        for (QAction* action : where->actions())
            if (action->text().remove('&') == text && action->isEnabled())
                return action->trigger(), true;
        return false;
    };
    using testing::ElementsAre;
    using enum MeshRole;
    EXPECT_THAT(shownRoles(document()), ElementsAre(opened1, refined, opened2, opened3));
    EXPECT_TRUE(choose(0, "Truth"));
    EXPECT_THAT(shownRoles(document()), ElementsAre(truth, refined, opened2, opened3));
    EXPECT_TRUE(choose(2, "Refined"));  // they change places
    EXPECT_THAT(shownRoles(document()), ElementsAre(truth, opened2, refined, opened3));
    EXPECT_TRUE(choose(0, "Coarse"));
    EXPECT_TRUE(choose(0, "Truth", "Add a pane"));
    EXPECT_TRUE(choose(0, "first.obj", "Add a pane"));
    ASSERT_THAT(shownRoles(document()),
                ElementsAre(coarse, opened2, refined, opened3, truth, opened1));
    EXPECT_FALSE(choose(0, "Fitted"));  // there is none
    EXPECT_TRUE(waitUntil([&] { return headers.lower().isVisible(); }));
    EXPECT_EQ(headers.of(opened1)->parentWidget(), &headers.lower());
    settle();
    EXPECT_TRUE(choose(1, "Remove this pane") && choose(4, "Remove this pane"));
    EXPECT_THAT(shownRoles(document()), ElementsAre(coarse, refined, opened3, truth));
    EXPECT_FALSE(headers.lower().isVisible());
    EXPECT_TRUE(choose(0, "Usual panes"));
    EXPECT_THAT(shownRoles(document()), ElementsAre(opened1, refined, opened2, opened3));
    // The last one first.
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    EXPECT_THAT(document().openedRoles(), ElementsAre(opened1, opened2));
    // One that is opened for a pane is shown there.
    EXPECT_TRUE(choose(1, "Open a mesh…"));
    QFileDialog* dialog = window().findChild<QFileDialog*>("openFiles");
    ASSERT_NE(dialog, nullptr);
    dialog->selectFile(QString::fromStdString(writeTetrahedron("fourth.obj").string()));
    QMetaObject::invokeMethod(dialog, "accept");
    ASSERT_TRUE(waitUntil([&] { return document().openedRoles().size() == 3; }));
    EXPECT_THAT(shownRoles(document()), ElementsAre(opened1, opened3, opened2, refined));
    settle();
}

TEST_F(WindowMeasures, offerWhatARightClickIsFor) {
    ASSERT_TRUE(open(test::bundledItem()));
    ASSERT_TRUE(measured());
    const auto menuAfter = [&](const auto& click) {
        click();
        QMenu* menu = nullptr;
        EXPECT_TRUE(waitUntil([&] {
            menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            return menu != nullptr;
        }));
        return menu;
    };
    const auto take = [&](QMenu* menu, const QString& text) {
        ASSERT_NE(menu, nullptr);
        const QList<QAction*> actions = menu->actions();
        const auto found = std::ranges::find_if(
            actions, [&](QAction* each) { return each->text().remove('&') == text; });
        ASSERT_NE(found, actions.end()) << text.toStdString();
        (*found)->trigger();
        menu->close();
    };
    const auto context = [](QWidget& widget, QPoint at) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget.mapToGlobal(at));
        QCoreApplication::sendEvent(&widget, &event);
    };
    QClipboard& clipboard = *QGuiApplication::clipboard();

    // A pane: the menu of its mesh, with its picture; a drag of the right button still moves.
    take(menuAfter([&] {
             QTest::mouseClick(&viewport(), Qt::RightButton, {},
                               {viewport().width() * 3 / 4, viewport().height() / 2});
         }),
         "Copy picture");
    ASSERT_TRUE(waitUntil([&] { return !clipboard.image().isNull(); }));
    const glm::vec2 pane = viewport().cameras().paneSize();
    EXPECT_EQ(clipboard.image().size(), QSize(int(pane.x), int(pane.y)));
    const render::OrbitCamera before = viewport().cameras().camera(0);
    QTest::mousePress(&viewport(), Qt::RightButton, {}, {50, 50});
    QTest::mouseMove(&viewport(), {90, 90});
    QTest::mouseRelease(&viewport(), Qt::RightButton, {}, {90, 90});
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
    EXPECT_NE(viewport().cameras().camera(0), before);

    MeasuresTable& table = inspector().measures();
    const auto cell = [&](const QString& text) {
        for (QLabel* label : table.findChildren<QLabel*>())
            if (label->isVisible() && label->text() == text) return label->geometry().center();
        return QPoint(-1, -1);
    };
    const QString f = row(1).refined;
    take(menuAfter([&] { context(table, cell(f)); }), "Copy " + f);
    EXPECT_EQ(clipboard.text(), f);
    take(menuAfter([&] { context(table, cell(f)); }), "Copy this row");
    EXPECT_THAT(clipboard.text().toStdString(), HasSubstr(f.toStdString()));
    EXPECT_GT(clipboard.text().count('\t'), 1);
    take(menuAfter([&] { context(inspector().plot(), {20, 20}); }), "Copy the curves as CSV");
    EXPECT_THAT(clipboard.text().toStdString(), testing::StartsWith("squared distance,coarse,"));
    EXPECT_EQ(clipboard.text().count('\n'),
              1 + static_cast<int>(inspector().plot().curves()[0].scores.size()));

    ViewSlots& slots_ = feature<ViewSlots>();
    const int second = window().input().selection().views()[1];
    take(menuAfter([&] { context(*slots_.tiles()[1], {20, 20}); }), "Make it the reference");
    EXPECT_TRUE(waitUntil([&] { return window().input().selection().views()[0] == second; }));
    settle();
}

TEST_F(WindowMeasures, bringAMeshOfAnotherScaleIntoTheFrame_andSayBothMeasures) {
    ASSERT_TRUE(open(test::bundledItem()));
    // The refined mesh as another program may have it: in millimetres, z up, elsewhere.
    const render::SceneMesh& refined = *document().result()->refined;
    Mesh other{refined.vertices, refined.faces};
    for (glm::vec3& vertex : other.vertices)
        vertex = 1000.0F * glm::vec3(vertex.x, -vertex.z, vertex.y) + glm::vec3(4000, 0, 70);
    const fs::path file = folder() / "millimetres.ply";
    writeMesh(file, MeshFormat::ply, other);
    ASSERT_TRUE(compare(file));
    ASSERT_TRUE(measured());
    QToolButton* bring = nullptr;
    for (QToolButton* button : feature<OpenedBar>().findChildren<QToolButton*>())
        if (button->text() == "Bring into frame") bring = button;
    ASSERT_NE(bring, nullptr);
    ASSERT_TRUE(bring->isVisible());
    const double far = row(1).opened.toDouble();
    QTest::mouseClick(bring, Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return bar().find("moved into the frame") != std::string::npos; }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(far, 0);
    EXPECT_NEAR(row(1).opened.toDouble(), row(1).refined.toDouble(), 8);
    EXPECT_THAT(bar(), HasSubstr("F(τ) 0.00 → " + row(1).opened.toStdString()));
    EXPECT_EQ(bring->text(), "Put it back");
    QTest::mouseClick(bring, Qt::LeftButton);
    EXPECT_TRUE(waitUntil([&] {
        return glm::distance(document().opened()->mesh->vertices[7], other.vertices[7]) < 1e-3F;
    }));
    settle();
}

TEST_F(WindowMeasures, compareTwoFilesWithoutASample) {
    const std::string hint =
        drop({writeTetrahedron("mine.obj", 0.3F), writeTetrahedron("theirs.obj", 0.31F)});
    EXPECT_THAT(hint, HasSubstr("mine.obj against theirs.obj"));
    ASSERT_TRUE(waitUntil([&] { return document().opened() && document().reference(); }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(document().opened()->name(), "mine.obj");
    EXPECT_EQ(viewport().cameras().count(), 2U);
    EXPECT_EQ(feature<PaneHeaders>().first().title(), "mine.obj");
    EXPECT_EQ(feature<PaneHeaders>().second().title(), "theirs.obj");
    EXPECT_THAT(window().windowTitle().toStdString(), HasSubstr("mine.obj against theirs.obj"));
    EXPECT_TRUE(inspector().measures().isVisible());
    EXPECT_EQ(inspector().measures().openedName(), "mine.obj");
    EXPECT_EQ(inspector().plot().curves().size(), 1U);
    EXPECT_TRUE(
        waitUntil([&] { return bool(surfaceValues(document(), MeshRole::opened1).values); }));
    EXPECT_GT(test::mapShare(picture()) + test::shareOfHues(picture(), 290, 60), 0.005);
    trigger(QStringLiteral("Switch protocol"));
    ASSERT_TRUE(measured());
    EXPECT_GT(row(1).opened.toDouble(), 50.0);
    // Closed, both are.
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    EXPECT_FALSE(document().opened() || document().reference());
    EXPECT_FALSE(inspector().measures().isVisible());
    settle();
}

TEST_F(WindowMeasures, takeTheFileThatIsNamedAsTruth_withoutASample) {
    ASSERT_TRUE(compare(writeTetrahedron("mine.obj")));
    EXPECT_FALSE(inspector().measures().isVisible());
    drop({writeTetrahedron("truth.ply", 0.2F)}, Qt::ShiftModifier);
    ASSERT_TRUE(waitUntil([&] { return document().reference() != nullptr; }));
    EXPECT_EQ(document().reference()->name(), "truth.ply");
    EXPECT_EQ(document().opened()->name(), "mine.obj");
    ASSERT_TRUE(measured());
    EXPECT_THAT(bar(), HasSubstr("judged against truth.ply"));
    // A sample has its own truth.
    ASSERT_TRUE(open(test::bundledItem()));
    EXPECT_FALSE(document().reference());
    EXPECT_EQ(document().opened()->name(), "mine.obj");
    settle();
}

TEST_F(WindowMeasures, giveTheDistanceBetweenTwoVertices) {
    ASSERT_TRUE(open(test::bundledItem()));
    settle();
    const render::SceneMeshRef mesh = document().result()->coarse;
    const std::vector<std::size_t> vertices = seen(mesh, 0);
    ASSERT_GE(vertices.size(), 2U);
    const QImage before = picture();
    const auto click = [&](std::size_t pane, glm::vec3 point) {
        const std::size_t ends = document().distanceEnds().size();
        QTest::mouseClick(&viewport(), Qt::LeftButton, Qt::ShiftModifier, placeOf(pane, point));
        return waitUntil([&] { return document().distanceEnds().size() == ends % 2 + 1; });
    };
    ASSERT_TRUE(click(0, mesh->vertices[vertices.front()]));
    ASSERT_TRUE(click(0, mesh->vertices[vertices.back()]));
    const auto& ends = document().distanceEnds();
    const double length =
        glm::distance(mesh->vertices[ends[0].index], mesh->vertices[ends[1].index]);
    EXPECT_GT(length, 0.01);
    EXPECT_THAT(distance().toStdString(),
                HasSubstr(QString::number(length, 'f', 4).toStdString() + " object units"));
    EXPECT_GT(test::difference(before, picture()), 0.0001);  // the line
    // To a vertex of the other pane's mesh.
    ASSERT_TRUE(click(0, mesh->vertices[vertices.front()]));
    const render::SceneMeshRef refined = document().result()->refined;
    ASSERT_TRUE(click(1, refined->vertices[seen(refined, 1).back()]));
    EXPECT_THAT(distance().toStdString(), HasSubstr("refined #"));
    EXPECT_THAT(distance().toStdString(), HasSubstr("coarse #"));
    key(Qt::Key_Escape);
    EXPECT_TRUE(waitUntil([&] { return document().distanceEnds().empty(); }));
    EXPECT_TRUE(distance().isEmpty());
    // By keys alone: two of the worst vertices.
    key(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return document().marked().has_value(); }));
    QTest::mouseMove(&viewport(), {3, 3});
    ASSERT_TRUE(waitUntil([&] { return !document().hovered(); }));
    const PickedVertex worst = *document().marked();
    key(Qt::Key_D);
    ASSERT_TRUE(waitUntil([&] { return document().distanceEnds().size() == 1; }));
    key(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return *document().marked() != worst; }));
    key(Qt::Key_D);
    ASSERT_TRUE(waitUntil([&] { return document().distanceEnds().size() == 2; }));
    EXPECT_EQ(document().distanceEnds()[0], worst);
    settle();
}

TEST_F(WindowMeasures, stillPan_whenShiftIsDragged) {
    ASSERT_TRUE(open(test::bundledItem()));
    settle();
    const glm::vec3 target = viewport().cameras().camera(0).target;
    QTest::mousePress(&viewport(), Qt::LeftButton, Qt::ShiftModifier, {100, 150});
    for (int step = 1; step <= 8; ++step) {
        QMouseEvent move(QEvent::MouseMove, QPointF(100 + 8 * step, 150),
                         viewport().mapToGlobal(QPointF(100 + 8 * step, 150)), Qt::NoButton,
                         Qt::LeftButton, Qt::ShiftModifier);
        QCoreApplication::sendEvent(&viewport(), &move);
    }
    QTest::mouseRelease(&viewport(), Qt::LeftButton, Qt::ShiftModifier, {164, 150});
    EXPECT_NE(viewport().cameras().camera(0).target, target);
    EXPECT_TRUE(document().distanceEnds().empty());
    settle();
}

TEST_F(WindowMeasures, closeAComparedMeshWithItsItem_andBringItBack) {
    ASSERT_TRUE(open(test::bundledItem()));
    ASSERT_TRUE(compare(writeTetrahedron("mine.obj")));
    const ResultRef first = document().result();
    ASSERT_TRUE(open(test::bundledItem("03001627")));
    EXPECT_FALSE(document().opened());
    EXPECT_THAT(bar(), HasSubstr("mine.obj was compared with 02691156"));
    // With the item it comes back.
    window().showResult(first);
    ASSERT_TRUE(waitUntil([&] { return document().opened() != nullptr; }));
    EXPECT_EQ(document().opened()->name(), "mine.obj");
    EXPECT_THAT(bar(), Not(HasSubstr("was compared")));
    // Or beside another one, if a person wants that.
    settle();
    ASSERT_TRUE(open(test::bundledItem("03001627")));
    ASSERT_TRUE(
        waitUntil([&] { return !document().opened() && !document().run().reconstructing(); }));
    for (QToolButton* button : feature<OpenedBar>().findChildren<QToolButton*>()) {
        if (button->text() == "Compare again") QTest::mouseClick(button, Qt::LeftButton);
    }
    ASSERT_TRUE(waitUntil([&] { return document().opened() != nullptr; }));
    ASSERT_TRUE(measured());
    EXPECT_TRUE(document().measured()->mesh(MeshRole::opened1).scores);
    settle();
}

TEST_F(WindowMeasures, stay_whileOnlyViewsChange) {
    ASSERT_TRUE(open(test::bundledItem()));
    ASSERT_TRUE(compare(writeTetrahedron("mine.obj")));
    const ResultRef first = document().result();
    window().input().choose(9);
    ASSERT_TRUE(waitUntil([&] { return document().result() != first; }));
    EXPECT_TRUE(document().opened());
    EXPECT_THAT(bar(), Not(HasSubstr("was compared")));
    settle();
}

TEST_F(WindowMeasures, countOnlyRunsOfOneKindAmongTheStages) {
    const auto heading = [&] { return inspector().stagesHeading().text().toStdString(); };
    ASSERT_TRUE(open(test::bundledItem()));
    EXPECT_THAT(heading(), Not(HasSubstr("RUNS")));
    ASSERT_TRUE(open(test::bundledItem()));
    EXPECT_THAT(heading(), HasSubstr("2 RUNS"));
    const auto openWith = [&](const std::vector<int>& views) {
        const ResultRef before = document().result();
        window().openSample(test::bundledItem(), views);
        return waitUntil([&] { return document().result() != before; });
    };
    ASSERT_TRUE(openWith({0, 6, 7, 9}));
    EXPECT_THAT(heading(), Not(HasSubstr("RUNS")));
    ASSERT_TRUE(openWith({0, 6, 7}));
    EXPECT_THAT(heading(), HasSubstr("3 RUNS"));
    EXPECT_THAT(inspector().stagesHeading().toolTip().toStdString(), HasSubstr("float32"));
    settle();
}

TEST_F(WindowMeasures, sayNothingOfAWorstVertex_onceItsMarkIsGone) {
    ASSERT_TRUE(open(test::bundledItem()));
    key(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return document().marked().has_value(); }));
    EXPECT_THAT(window().statusLine().text().toStdString(), HasSubstr("Worst vertex 1 of"));
    key(Qt::Key_Escape);
    ASSERT_TRUE(waitUntil([&] { return !document().marked(); }));
    EXPECT_THAT(window().statusLine().text().toStdString(), Not(HasSubstr("Worst vertex")));
    settle();
}

TEST_F(WindowMeasures, standBesideThoseOfOtherResults) {
    window().resize(1600, 1000);  // where the inspector shows all its sections
    ASSERT_TRUE(open(test::bundledItem()));
    const ResultRef first = document().result();
    window().input().choose(9);
    ASSERT_TRUE(waitUntil([&] { return document().result() != first; }));
    const ResultRef second = document().result();
    ResultsList& results = feature<ResultsList>();
    EXPECT_THAT(results.header().text().toStdString(), HasSubstr("RESULTS · 2"));
    EXPECT_FALSE(results.list().isVisible());
    QTest::mouseClick(&results.header(), Qt::LeftButton);
    ASSERT_TRUE(results.list().isVisible());
    ASSERT_EQ(results.list().count(), 2);
    const std::string text = results.list().item(1)->text().toStdString();
    EXPECT_THAT(text, HasSubstr("views 0, 6, 7"));
    EXPECT_THAT(text, HasSubstr("F(τ)"));
    EXPECT_THAT(text, HasSubstr("CD"));
    EXPECT_THAT(text, HasSubstr("ms"));
    const auto picture = [&](int row) {
        return results.list().item(row)->icon().pixmap(48, 36).toImage();
    };
    EXPECT_TRUE(waitUntil([&] {
        return picture(0).pixelColor(24, 18).alpha() == 255 &&
               picture(1).pixelColor(24, 18).alpha() == 255;
    }));
    const auto click = [&](int row, Qt::KeyboardModifiers modifiers) {
        QListWidget& list = results.list();
        list.scrollToItem(list.item(row));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, modifiers,
                          list.visualItemRect(list.item(row)).center());
    };
    // A click shows one: the newest first in the list.
    click(1, {});
    ASSERT_TRUE(waitUntil([&] { return document().result() == first; }));
    EXPECT_EQ(window().input().selection().views(), first->views);
    // With Ctrl it stands in the other pane, with its measures.
    QTest::keyPress(&results.list(), Qt::Key_Control, Qt::ControlModifier);
    click(0, Qt::ControlModifier);
    ASSERT_TRUE(waitUntil([&] { return document().opened() != nullptr; }));
    EXPECT_EQ(document().result(), first);
    EXPECT_EQ(document().opened()->mesh, second->refined);
    ASSERT_TRUE(measured());
    EXPECT_EQ(feature<PaneHeaders>().first().title(), document().opened()->name());
    EXPECT_THAT(document().opened()->name().toStdString(), HasSubstr("views"));
    EXPECT_FALSE(row(1).opened.isEmpty());
    EXPECT_TRUE(feature<OpenedBar>().isVisible());
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    EXPECT_FALSE(document().opened());
    // The same by keys.
    results.list().setFocus();
    results.list().setCurrentRow(0);
    QTest::keyClick(&results.list(), Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(waitUntil([&] { return document().opened() != nullptr; }));
    QTest::keyClick(&results.list(), Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return document().result() == second; }));
    QTest::keyClick(&results.list(), Qt::Key_Delete);
    EXPECT_TRUE(waitUntil([&] { return results.list().count() == 1; }));
    settle();
}

TEST_F(WindowMeasures, listResultsByTheirCategory_andByTheChosenProtocol) {
    ASSERT_TRUE(open(test::bundledItem()));
    ASSERT_TRUE(open(test::bundledItem("02958343")));
    ResultsList& results = feature<ResultsList>();
    results.header().setChecked(true);
    ASSERT_EQ(results.list().count(), 2);
    const auto text = [&](int row) { return results.list().item(row)->text().toStdString(); };
    EXPECT_THAT(text(0), StartsWith("car p0001 · "));
    EXPECT_THAT(text(1), StartsWith("airplane p0001 · "));
    const std::string car = text(0), airplane = text(1);
    const auto saysShown = [&] {
        return text(0).find("F(τ) " + row(1).refined.toStdString() + " %") != std::string::npos;
    };
    EXPECT_TRUE(saysShown());
    trigger("Switch protocol");
    ASSERT_TRUE(measured());
    EXPECT_TRUE(waitUntil([&] { return saysShown() && text(0) != car; })) << text(0);
    // The other one, too, although it is not shown.
    EXPECT_TRUE(waitUntil([&] {
        return text(1) != airplane && text(1).find("CD ") != std::string::npos;
    })) << text(1);
    trigger("Switch protocol");
    EXPECT_EQ(text(0), car);
    EXPECT_EQ(text(1), airplane);
    settle();
}

TEST_F(WindowMeasures, rememberResults_forUndoAndForTheirList_inOnePlace) {
    ASSERT_TRUE(open(test::bundledItem()));
    const ResultRef first = document().result();
    window().input().choose(9);
    ASSERT_TRUE(waitUntil([&] { return document().result() != first; }));
    const int runs = network().runs;
    trigger(QKeySequence(Qt::CTRL | Qt::Key_Z));
    ASSERT_TRUE(waitUntil([&] { return document().result() == first; }));
    EXPECT_EQ(network().runs, runs);
    // Forgotten there, undo computes it again.
    ResultsList& results = feature<ResultsList>();
    results.header().setChecked(true);
    results.list().setCurrentRow(0);
    QTest::keyClick(&results.list(), Qt::Key_Delete);
    trigger(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    ASSERT_TRUE(waitUntil([&] { return document().result() != first; }));
    EXPECT_EQ(network().runs, runs + 1);
    settle();
}

}  // namespace
}  // namespace threefold::ui
