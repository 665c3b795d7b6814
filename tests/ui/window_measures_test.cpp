#include "tests/ui/window_measures.h"
#include "ui/document/shown_document.h"
#include "ui/panes/pointer_tip.h"

namespace threefold::ui {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(WindowMeasures, showADroppedMeshsNumbers_inAllPlaces) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_EQ(row(1)[MeshId::opened(1)], "");
    ASSERT_TRUE(compare(writeTetrahedron("another_program_with_a_long_name.obj")));
    ASSERT_TRUE(measured());
    // The table has a column of the mesh's measures, with its name as heading.
    const MeasuresTable& table = inspector().measures();
    const QString name = "another_program_with_a_long_name.obj";
    const MeasuredMesh mesh = window().measured().mesh(MeshId::opened(1));
    ASSERT_TRUE(mesh.scores());
    const QString f = row(1)[MeshId::opened(1)];
    EXPECT_EQ(f.toDouble(), qRound(mesh.scores()->measures.atTau().fScore * 100) / 100.0);
    bool headed = false;
    bool shown = false;
    for (const QLabel* label : table.findChildren<QLabel*>()) {
        if (!label->isVisible()) continue;
        headed =
            headed || (label->toolTip() == QString(name) && label->text().contains(QChar(0x2026)));
        shown = shown || label->text() == f;
    }
    EXPECT_TRUE(headed && shown);
    // The plot has the mesh's curve, and its readout names the mesh.
    ASSERT_EQ(inspector().plot().curves().size(), 3U);
    EXPECT_EQ(inspector().plot().curves()[2].id, MeshId::opened(1));
    inspector().plot().setFocus();
    EXPECT_THAT(inspector().plot().readout().toStdString(), HasSubstr("another_pro"));
    // The mesh has distances to the truth and from the truth.
    for (const Quantity quantity : {Quantity::distanceToTruth, Quantity::distanceFromTruth}) {
        document().look.change([&](Look& look) { look = withQuantity(look, quantity); });
        EXPECT_TRUE(waitUntil([&] {
            return bool(surfaceValues(window().shownDocument(), MeshId::opened(1)).values);
        }));
    }
    trigger(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    const std::string csv = QApplication::clipboard()->text().toStdString();
    EXPECT_THAT(csv, HasSubstr("\nrefined,published,0.0001,"));
    EXPECT_THAT(csv, HasSubstr("\nanother_program_with_a_long_name.obj,published,0.0001,4,"));
}

TEST_F(WindowMeasures, areExportedAsATable) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
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
              measuresCsv(window().measured().meshes()));
}

TEST_F(WindowMeasures, arePerfectForAMeshAgainstItself_underTheSurfaceProtocol) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const fs::path mesh = writeTetrahedron("truth.obj");
    ASSERT_TRUE(compare(mesh));
    const ResultRef before = document().result.current();
    drop({mesh}, Qt::ShiftModifier);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != before; }));
    ASSERT_TRUE(measured());
    EXPECT_LT(row(1)[MeshId::opened(1)].toDouble(), 100.0);
    EXPECT_THAT(inspector().protocolButton().toolTip().toStdString(),
                HasSubstr("its vertices differ from the sampled points"));
    const QString published = row(1)[MeshId::result];
    // Switches the protocol with the button above the measures.
    QToolButton& button = inspector().protocolButton();
    EXPECT_TRUE(button.isVisible());
    EXPECT_THAT(button.text().toStdString(), HasSubstr("vertices"));
    button.menu()->actions().at(1)->trigger();
    EXPECT_EQ(row(1)[MeshId::opened(1)], "…");
    ASSERT_TRUE(measured());
    EXPECT_THAT(button.text().toStdString(), HasSubstr("surface"));
    EXPECT_EQ(row(1)[MeshId::opened(1)], "100.00");
    EXPECT_NE(row(1)[MeshId::result], published);
    EXPECT_THAT(inspector().protocolButton().toolTip().toStdString(),
                HasSubstr("A mesh against itself gives 100 %"));
    EXPECT_FALSE(child<QLabel>(inspector(), "problems").isVisible());
    // Switches back with Shift+P.
    pressKey(Qt::Key_P, Qt::ShiftModifier);
    EXPECT_TRUE(waitUntil([&] { return row(1)[MeshId::result] == published; }));
    settle();
}

TEST_F(WindowMeasures, compareTwoFilesWithoutASample) {
    const std::string hint =
        drop({writeTetrahedron("mine.obj", 0.3F), writeTetrahedron("theirs.obj", 0.31F)});
    EXPECT_THAT(hint, HasSubstr("mine.obj against theirs.obj"));
    ASSERT_TRUE(
        waitUntil([&] { return document().opened.first() && document().opened.reference(); }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(document().opened.first()->name(), "mine.obj");
    EXPECT_EQ(viewport().cameras().count(), 2U);
    EXPECT_EQ(feature<PaneHeaders>().first().title(), "mine.obj");
    EXPECT_EQ(feature<PaneHeaders>().second().title(), "theirs.obj");
    EXPECT_THAT(window().windowTitle().toStdString(), HasSubstr("mine.obj against theirs.obj"));
    EXPECT_TRUE(inspector().measures().isVisible());
    EXPECT_EQ(document().opened.first()->name(), "mine.obj");
    EXPECT_EQ(inspector().plot().curves().size(), 1U);
    EXPECT_TRUE(waitUntil(
        [&] { return bool(surfaceValues(window().shownDocument(), MeshId::opened(1)).values); }));
    EXPECT_GT(test::mapFraction(picture()) + test::fractionOfHues(picture(), 290, 60), 0.005);
    // Meshes alone are compared by their surfaces; few of their vertices are near each other.
    EXPECT_GT(row(1)[MeshId::opened(1)].toDouble(), 50.0);
    trigger(QStringLiteral("Switch protocol"));
    ASSERT_TRUE(measured());
    EXPECT_LT(row(1)[MeshId::opened(1)].toDouble(), 50.0);
    // Ctrl+W closes both meshes.
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    EXPECT_FALSE(document().opened.first() || document().opened.reference());
    EXPECT_FALSE(inspector().measures().isVisible());
    settle();
}

TEST_F(WindowMeasures, useTheFileNamedAsTruth_withoutASample) {
    ASSERT_TRUE(compare(writeTetrahedron("mine.obj")));
    EXPECT_FALSE(inspector().measures().isVisible());
    drop({writeTetrahedron("truth.ply", 0.2F)}, Qt::ShiftModifier);
    ASSERT_TRUE(waitUntil([&] { return document().opened.reference() != nullptr; }));
    EXPECT_EQ(document().opened.reference()->name(), "truth.ply");
    EXPECT_EQ(document().opened.first()->name(), "mine.obj");
    ASSERT_TRUE(measured());
    EXPECT_THAT(bar(), HasSubstr("measured against truth.ply"));
    // A sample's own truth replaces the file.
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(document().opened.reference());
    EXPECT_EQ(document().opened.first()->name(), "mine.obj");
    settle();
}

TEST_F(WindowMeasures, giveTheDistanceBetweenTwoVertices) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    const render::SceneMeshRef mesh = document().result.current()->mesh(MeshId::firstPublished);
    const std::vector<std::size_t> vertices = seen(mesh, 0);
    ASSERT_GE(vertices.size(), 2U);
    const QImage before = picture();
    const auto click = [&](std::size_t pane, glm::vec3 point) {
        const std::size_t ends = document().pointed.distanceEnds().size();
        QTest::mouseClick(&viewport(), Qt::LeftButton, Qt::ShiftModifier,
                          positionOnScreen(pane, point));
        return waitUntil([&] { return document().pointed.distanceEnds().size() == ends % 2 + 1; });
    };
    ASSERT_TRUE(click(0, mesh->vertices[vertices.front()]));
    ASSERT_TRUE(click(0, mesh->vertices[vertices.back()]));
    const auto& ends = document().pointed.distanceEnds();
    const double length =
        glm::distance(mesh->vertices[ends[0].index], mesh->vertices[ends[1].index]);
    EXPECT_GT(length, 0.01);
    EXPECT_THAT(distance().toStdString(),
                HasSubstr(QString::number(length, 'f', 4).toStdString() + " object units"));
    EXPECT_GT(test::difference(before, picture()), 0.0001);  // the drawn line
    const auto* label = window().findChild<PointerTip*>(QStringLiteral("distanceLabel"));
    ASSERT_NE(label, nullptr);
    EXPECT_TRUE(label->isVisible());
    EXPECT_EQ(label->lines(), QStringList(QString::number(length, 'f', 4) + " object units"));
    // Measures to a vertex of the other pane's mesh.
    ASSERT_TRUE(click(0, mesh->vertices[vertices.front()]));
    const render::SceneMeshRef refined = document().result.current()->mesh(MeshId::result);
    ASSERT_TRUE(click(1, refined->vertices[seen(refined, 1).back()]));
    EXPECT_THAT(distance().toStdString(), HasSubstr("refined #"));
    EXPECT_THAT(distance().toStdString(), HasSubstr("coarse #"));
    pressKey(Qt::Key_Escape);
    EXPECT_TRUE(waitUntil([&] { return document().pointed.distanceEnds().empty(); }));
    EXPECT_TRUE(distance().isEmpty());
    EXPECT_FALSE(label->isVisible());
    // Measures between two of the worst vertices by keys (N, D).
    pressKey(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return document().pointed.marked().has_value(); }));
    QTest::mouseMove(&viewport(), {3, 3});
    ASSERT_TRUE(waitUntil([&] { return !document().pointed.hovered(); }));
    const VertexId worst = *document().pointed.marked();
    pressKey(Qt::Key_D);
    ASSERT_TRUE(waitUntil([&] { return document().pointed.distanceEnds().size() == 1; }));
    pressKey(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return *document().pointed.marked() != worst; }));
    pressKey(Qt::Key_D);
    ASSERT_TRUE(waitUntil([&] { return document().pointed.distanceEnds().size() == 2; }));
    EXPECT_EQ(document().pointed.distanceEnds()[0], worst);
    settle();
}

TEST_F(WindowMeasures, forgetAClickBesideTheMeshes_whenTheMeshesChange) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    const QPoint corner(6, viewport().height() / 2);
    QTest::mouseClick(&viewport(), Qt::LeftButton, Qt::ShiftModifier, corner);
    ASSERT_TRUE(document().pointed.distanceEnds().empty());
    for (int i = 0; i < 30; ++i) {
        QWheelEvent wheel(QPointF(corner), viewport().mapToGlobal(QPointF(corner)), {}, {0, 120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&viewport(), &wheel);
    }
    Look look = document().look.current();
    look.morphPosition = test::kMorphCoarse;  // another mesh, whose pick tree is built anew
    document().look.set(look);
    settle();
    EXPECT_TRUE(document().pointed.distanceEnds().empty());
}

TEST_F(WindowMeasures, keepTheCamera_whenShiftIsHeldAtADoubleClick) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    const QPoint position(100, 150);
    QWheelEvent wheel(QPointF(position), viewport().mapToGlobal(QPointF(position)), {}, {0, 360},
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&viewport(), &wheel);
    settle();
    const float before = viewport().cameras().camera(0).distance;
    QTest::mouseDClick(&viewport(), Qt::LeftButton, Qt::ShiftModifier, position);
    settle();
    EXPECT_EQ(viewport().cameras().camera(0).distance, before);
    QTest::mouseDClick(&viewport(), Qt::LeftButton, Qt::NoModifier, position);
    settle();
    EXPECT_NE(viewport().cameras().camera(0).distance, before);
}

TEST_F(WindowMeasures, allowPanning_byADragWithShift) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
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
    EXPECT_TRUE(document().pointed.distanceEnds().empty());
    settle();
}

TEST_F(WindowMeasures, closeAnOpenedMeshWithItsSample_andReopenIt) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(compare(writeTetrahedron("mine.obj")));
    const ResultRef first = document().result.current();
    ASSERT_TRUE(open(test::bundledSampleFolder("03001627")));
    EXPECT_FALSE(document().opened.first());
    EXPECT_THAT(bar(), HasSubstr("mine.obj was opened beside airplane · p0001"));
    // The opened mesh is shown again with its sample.
    window().opener().showResult(first);
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    EXPECT_EQ(document().opened.first()->name(), "mine.obj");
    EXPECT_THAT(bar(), Not(HasSubstr("was opened beside")));
    // "Show again" shows the mesh beside another sample.
    settle();
    ASSERT_TRUE(open(test::bundledSampleFolder("03001627")));
    ASSERT_TRUE(waitUntil(
        [&] { return !document().opened.first() && !document().run.state().isReconstructing(); }));
    for (QToolButton* button : feature<OpenedBar>().findChildren<QToolButton*>()) {
        if (button->text() == "Show again") QTest::mouseClick(button, Qt::LeftButton);
    }
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    ASSERT_TRUE(measured());
    EXPECT_TRUE(window().measured().mesh(MeshId::opened(1)).scores());
    settle();
}

TEST_F(WindowMeasures, keepTheOpenedMesh_whenOnlyViewsChange) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(compare(writeTetrahedron("mine.obj")));
    const ResultRef first = document().result.current();
    window().input().model().putIntoSelectedSlot(9);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != first; }));
    EXPECT_TRUE(document().opened.first());
    EXPECT_THAT(bar(), Not(HasSubstr("was opened beside")));
    settle();
}

TEST_F(WindowMeasures, countOnlyRunsOfOneKind_inStepTimes) {
    const auto heading = [&] {
        return child<QLabel>(inspector(), "stepsHeading").text().toStdString();
    };
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_THAT(heading(), Not(HasSubstr("RUNS")));
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_THAT(heading(), HasSubstr("2 RUNS"));
    const auto openWith = [&](const std::vector<int>& views) {
        const ResultRef before = document().result.current();
        window().opener().openSample(test::bundledSampleFolder(), views);
        return waitUntil([&] { return document().result.current() != before; });
    };
    ASSERT_TRUE(openWith({0, 6, 7, 9}));
    EXPECT_THAT(heading(), Not(HasSubstr("RUNS")));
    ASSERT_TRUE(openWith({0, 6, 7}));
    EXPECT_THAT(heading(), HasSubstr("3 RUNS"));
    EXPECT_THAT(child<QLabel>(inspector(), "stepsHeading").toolTip().toStdString(),
                HasSubstr("float32"));
    settle();
}

TEST_F(WindowMeasures, showNoWorstVertex_onceItsMarkIsRemoved) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    pressKey(Qt::Key_N);
    ASSERT_TRUE(waitUntil([&] { return document().pointed.marked().has_value(); }));
    EXPECT_THAT(window().statusLine().text().toStdString(), HasSubstr("Worst vertex 1 of"));
    pressKey(Qt::Key_Escape);
    ASSERT_TRUE(waitUntil([&] { return !document().pointed.marked(); }));
    EXPECT_THAT(window().statusLine().text().toStdString(), Not(HasSubstr("Worst vertex")));
    settle();
}

}  // namespace
}  // namespace threefold::ui
