#include <algorithm>
#include <cmath>

#include <QToolButton>

#include "engine/formats/files/write_file.h"
#include "tests/ui/window_measures.h"
#include "ui/document/shown_document.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_framing.h"
#include "ui/inspect/legend.h"
#include "ui/inspect/mesh_facts.h"
#include "ui/inspect/quantity_menu.h"
#include "ui/panes/make_scene.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MeshesWithoutSample : public WindowMeasures {
  protected:
    QString fact(const QString& line) { return feature<MeshFacts>().value(line); }
    /// Whether a visible label of the inspector contains a text.
    bool says(const QString& text) {
        for (const QLabel* label : inspector().findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text)) return true;
        return false;
    }
    /// Writes a tetrahedron with values at its vertices: `quality` from 0 to 3, and `depth`, ten
    /// times as much.
    fs::path writeValues(const std::string& name, float scale = 1) {
        std::string text =
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
            "property float z\nproperty float depth\nproperty float quality\n"
            "element face 4\nproperty list uchar int vertex_indices\nend_header\n";
        const Points corners = {{0, 0, 0}, {0.3F, 0, 0}, {0, 0.3F, 0}, {0, 0, 0.3F}};
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const glm::vec3 at = corners[i] * scale;
            text += std::to_string(at.x) + ' ' + std::to_string(at.y) + ' ' + std::to_string(at.z) +
                    ' ' + std::to_string(10 * i) + ' ' + std::to_string(i) + '\n';
        }
        text += "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
        const fs::path file = folder() / name;
        writeFileAtomically(file, std::string_view(text));
        return file;
    }
};

TEST(NeedOwnCameras, isTrue_whenOneCameraWouldNotShowAll) {
    const auto box = [](float size, float x) {
        return boundsOf(Points{{x, 0, 0}, {x + size, size, size}});
    };
    EXPECT_FALSE(needOwnCameras({}));
    EXPECT_FALSE(needOwnCameras({box(1, 0)}));
    EXPECT_FALSE(needOwnCameras({box(1, 0), box(1.9F, 0)}));
    EXPECT_TRUE(needOwnCameras({box(1, 0), box(2.1F, 0)}));
    EXPECT_FALSE(needOwnCameras({box(1, 0), box(1, 1.5F)}));
    EXPECT_TRUE(needOwnCameras({box(1, 0), box(1, 2)}));
}

TEST_F(MeshesWithoutSample, showTheirOwnFacts_withoutThoseOfAReconstruction) {
    ASSERT_TRUE(compare(writeTetrahedron("mine.ply")));
    EXPECT_FALSE(window().input().isVisible());
    EXPECT_FALSE(action(QStringLiteral("Live update"))->isVisible());
    EXPECT_FALSE(action(QStringLiteral("Reconstruct"))->isVisible());
    EXPECT_FALSE(says("Nothing reconstructed"));
    EXPECT_FALSE(says("MEASURES"));
    ASSERT_TRUE(feature<MeshFacts>().isVisible());
    EXPECT_FALSE(child<QComboBox>(feature<MeshFacts>(), "choice").isVisible());
    EXPECT_EQ(fact("Vertices"), "4");
    EXPECT_EQ(fact("Triangles"), "4");
    EXPECT_EQ(fact("Size"), "0.3 × 0.3 × 0.3");
    EXPECT_EQ(fact("Area"), "0.213");  // 3 · 0.045 + √3/2 · 0.09
    EXPECT_EQ(fact("Watertight"), "yes");
    EXPECT_EQ(fact("Components"), "1");

    // The input panel, which has the data set, can be shown nevertheless.
    action(QStringLiteral("Input panel"))->trigger();
    EXPECT_TRUE(window().input().isVisible());
    action(QStringLiteral("Input panel"))->trigger();

    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(window().input().isVisible());
    EXPECT_TRUE(action(QStringLiteral("Live update"))->isVisible());
    EXPECT_TRUE(action(QStringLiteral("Reconstruct"))->isEnabled());
    EXPECT_TRUE(says("MEASURES"));
    EXPECT_FALSE(feature<MeshFacts>().isVisible());
    settle();
}

TEST_F(MeshesWithoutSample, standOnThePlaneOfXAndY_whenZIsUp) {
    ASSERT_TRUE(compare(writeTetrahedron("mine.ply")));
    action(QStringLiteral("Z is up"))->trigger();
    EXPECT_EQ(viewport().cameras().up(), render::UpAxis::z);
    EXPECT_THAT(feature<OpenedBar>().text().toStdString(), HasSubstr("4 triangles · z up"));
    document().look.change([](Look& look) { look.ground = true; });
    const render::Scene scene = makeScene({document()}, themeColours(Theme::dark));
    ASSERT_TRUE(scene.panes[0].ground.has_value());
    EXPECT_EQ(scene.panes[0].ground->upAxis, render::UpAxis::z);
    EXPECT_EQ(scene.panes[0].ground->centre.z, 0);
    // Results of samples are shown with y up.
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_EQ(viewport().cameras().up(), render::UpAxis::y);
}

TEST_F(MeshesWithoutSample, keepTheInputHidden_whenClosed) {
    action(QStringLiteral("Input panel"))->trigger();
    ASSERT_FALSE(window().input().isVisible());
    ASSERT_TRUE(compare(writeTetrahedron("mine.ply")));
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    EXPECT_FALSE(document().opened.first());
    EXPECT_FALSE(window().input().isVisible());
    EXPECT_TRUE(says("Nothing reconstructed"));
    settle();
}

TEST_F(MeshesWithoutSample, becomeTheTruth_byTheButtonOfTheirBar) {
    ASSERT_TRUE(compare(writeTetrahedron("mine.ply")));
    const auto buttons = feature<OpenedBar>().findChildren<QToolButton*>();
    const auto use = std::ranges::find(buttons, QStringLiteral("Use as truth"), &QToolButton::text);
    ASSERT_NE(use, buttons.end());
    ASSERT_TRUE((*use)->isEnabled());
    (*use)->click();
    ASSERT_TRUE(waitUntil([&] { return document().opened.reference() != nullptr; }));
    EXPECT_EQ(document().opened.reference()->name(), "mine.ply");
    settle();
}

TEST_F(MeshesWithoutSample, showTheFactsOfTheChosenMesh) {
    const fs::path open = folder() / "open.obj";
    writeMesh(open, MeshFormat::obj, {{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {9, 9, 9}}, {{0, 1, 2}}});
    drop({writeTetrahedron("mine.obj"), open});
    ASSERT_TRUE(
        waitUntil([&] { return document().opened.first() && document().opened.reference(); }));
    QComboBox& choice = child<QComboBox>(feature<MeshFacts>(), "choice");
    ASSERT_TRUE(choice.isVisible());
    ASSERT_EQ(choice.count(), 2);
    EXPECT_EQ(choice.currentText(), "mine.obj");
    EXPECT_EQ(fact("Watertight"), "yes");
    choice.setCurrentIndex(choice.findText("open.obj"));
    EXPECT_EQ(fact("Watertight"), "no · 3 boundary edges");
    EXPECT_EQ(fact("Area"), "6");
    EXPECT_EQ(fact("Size"), "9 × 9 × 9");
    EXPECT_TRUE(says("MEASURES"));  // measures of the first mesh against the second
    // Facts of points have no area and no "Watertight".
    const fs::path points = folder() / "points.xyz";
    writeMesh(points, MeshFormat::xyz, {{{0, 0, 0}, {1, 1, 1}, {2, 0, 1}}, {}});
    drop({points});
    ASSERT_TRUE(waitUntil([&] { return choice.findText("points.xyz") >= 0; }));
    choice.setCurrentIndex(choice.findText("points.xyz"));
    EXPECT_EQ(fact("Points"), "3");
    EXPECT_EQ(fact("Size"), "2 × 1 × 1");
    EXPECT_EQ(fact("Watertight"), "");
    settle();
}

TEST_F(MeshesWithoutSample, areFramedSeparately_whenTheirSizesDiffer) {
    drop({writeTetrahedron("small.obj", 0.3F), writeTetrahedron("large.obj", 60.0F)});
    ASSERT_TRUE(
        waitUntil([&] { return document().opened.first() && document().opened.reference(); }));
    settle();
    QAction* same = action(QStringLiteral("Same scale"));
    ASSERT_TRUE(same->isVisible());
    const auto ratio = [&] {
        const PaneCameras& cameras = viewport().cameras();
        return cameras.camera(1).distance / cameras.camera(0).distance;
    };
    EXPECT_NEAR(ratio(), 200, 1);
    drag({300, 200}, {340, 220});
    settle();
    EXPECT_NEAR(ratio(), 200, 1);
    EXPECT_EQ(viewport().cameras().camera(0).yaw, viewport().cameras().camera(1).yaw);
    same->trigger();
    EXPECT_EQ(viewport().cameras().camera(0), viewport().cameras().camera(1));
    same->trigger();
    EXPECT_NEAR(ratio(), 200, 1);
    // In an overlay, both meshes share a camera, whatever their sizes.
    document().look.change([](Look& look) { look.paneLayout = PaneLayout::overlay; });
    EXPECT_EQ(viewport().cameras().camera(0), viewport().cameras().camera(1));
    EXPECT_FALSE(same->isVisible());
    document().look.change([](Look& look) { look.paneLayout = PaneLayout::sideBySide; });
    EXPECT_NEAR(ratio(), 200, 1);
    settle();
}

TEST_F(MeshesWithoutSample, areFramedTogether_whenTheirSizesAreAlike) {
    drop({writeTetrahedron("small.obj", 0.3F), writeTetrahedron("large.obj", 0.4F)});
    ASSERT_TRUE(
        waitUntil([&] { return document().opened.first() && document().opened.reference(); }));
    settle();
    EXPECT_FALSE(action(QStringLiteral("Same scale"))->isVisible());
    EXPECT_EQ(viewport().cameras().camera(0), viewport().cameras().camera(1));
}

TEST_F(MeshesWithoutSample, areReadAgain_whenTheirFilesChange) {
    const fs::path mine = writeTetrahedron("mine.obj", 0.3F);
    drop({mine, writeTetrahedron("theirs.obj", 0.3F)});
    ASSERT_TRUE(
        waitUntil([&] { return document().opened.first() && document().opened.reference(); }));
    settle();
    drag({300, 200}, {340, 220});
    const render::OrbitCamera camera = viewport().cameras().camera(0);
    const auto openedWidth = [&] { return document().opened.first()->mesh->vertices[1].x; };
    const auto referenceWidth = [&] { return document().opened.reference()->mesh->vertices[1].x; };
    writeTetrahedron("mine.obj", 0.35F);  // replaces the file by renaming another one
    ASSERT_TRUE(waitUntil([&] { return openedWidth() == 0.35F; }));
    EXPECT_THAT(feature<StatusLine>().text().toStdString(), HasSubstr("mine.obj has changed"));
    EXPECT_EQ(viewport().cameras().camera(0), camera);
    EXPECT_EQ(fact("Size"), "0.35 × 0.35 × 0.35");
    // A second change, which rewrites the file in place, is seen, too.
    {
        std::ofstream file(mine);
        file << "v 0 0 0\nv 0.4 0 0\nv 0 0.4 0\nf 1 2 3\n";
    }
    ASSERT_TRUE(waitUntil([&] { return openedWidth() == 0.4F; }));
    writeTetrahedron("theirs.obj", 0.32F);
    ASSERT_TRUE(waitUntil([&] { return referenceWidth() == 0.32F; }));
    // A broken file leaves the shown mesh, and its error is shown.
    {
        std::ofstream file(mine);
        file << "f 1 2 3\n";
    }
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_EQ(openedWidth(), 0.4F);
    writeTetrahedron("mine.obj", 0.45F);
    ASSERT_TRUE(waitUntil([&] { return openedWidth() == 0.45F; }));
    EXPECT_FALSE(window().banner().isVisible());
    settle();
}

TEST_F(MeshesWithoutSample, areColouredByValuesOfTheirFiles) {
    ASSERT_TRUE(compare(writeValues("values.ply")));
    EXPECT_EQ(document().shownQuantity(), Quantity::fileValues);
    const auto values = [&] {
        return surfaceValues(window().shownDocument(), MeshId::opened(1)).values;
    };
    ASSERT_TRUE(waitUntil([&] { return bool(values()); }));
    EXPECT_THAT(*values(), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(feature<Legend>().caption().toStdString(), testing::StartsWith("quality"));
    EXPECT_EQ(child<QToolButton>(window(), "quantity").text(), "quality ▾");
    EXPECT_GT(test::mapFraction(picture()), 0.02);
    QMenu* list = nullptr;
    for (QMenu* menu : window().findChildren<QMenu*>())
        if (menu->title() == "Values of the file") list = menu;
    ASSERT_NE(list, nullptr);
    ASSERT_EQ(list->actions().size(), 2);
    EXPECT_EQ(list->actions()[0]->text(), "depth");
    EXPECT_TRUE(list->actions()[1]->isChecked());
    list->actions()[0]->trigger();
    ASSERT_TRUE(waitUntil([&] { return bool(values()) && values()->back() == 30; }));
    EXPECT_THAT(feature<Legend>().caption().toStdString(), testing::StartsWith("depth"));
    // Meshes of a sample have no values of files.
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(
        surfaceValues(window().shownDocument(), MeshId::result, Quantity::fileValues).values);
    EXPECT_EQ(surfaceValues(window().shownDocument(), MeshId::result, Quantity::fileValues).reason,
              "Exists only in files of opened meshes");
    settle();
}

// Distances are exact: a mesh has distance 0 to itself, although the measures sample its surface.
TEST_F(MeshesWithoutSample, areMeasuredToTheOthersSurface_notToItsSamples) {
    drop({writeTetrahedron("same.obj"), writeTetrahedron("truth.obj")});
    ASSERT_TRUE(
        waitUntil([&] { return document().opened.first() && document().opened.reference(); }));
    const auto values = [&](Quantity quantity) {
        document().look.change([&](Look& look) { look.quantity = quantity; });
        EXPECT_TRUE(waitUntil([&] {
            return bool(
                surfaceValues(window().shownDocument(), MeshId::opened(1), quantity).values);
        }));
        return *surfaceValues(window().shownDocument(), MeshId::opened(1), quantity).values;
    };
    EXPECT_THAT(values(Quantity::distanceToTruth), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(values(Quantity::signedDistance), ElementsAre(0, 0, 0, 0));
    // Except for the common corner, the vertices of a tetrahedron of half the size lie on edges of
    // the truth, far from the truth's vertices.
    drop({writeTetrahedron("half.obj", 0.15F)});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 2; }));
    document().look.change([](Look& look) { look.quantity = Quantity::distanceToTruth; });
    const auto half = [&](Quantity quantity) {
        return surfaceValues(window().shownDocument(), MeshId::opened(2), quantity).values;
    };
    ASSERT_TRUE(waitUntil([&] { return bool(half(Quantity::distanceToTruth)); }));
    for (const float distance : *half(Quantity::distanceToTruth)) EXPECT_EQ(distance, 0);
    // Signed distances of a mesh inside the truth are negative.
    const fs::path inner = folder() / "inner.obj";
    writeMesh(inner, MeshFormat::obj,
              {{{0.05F, 0.05F, 0.05F}, {0.06F, 0.05F, 0.05F}, {0.05F, 0.06F, 0.05F}}, {{0, 1, 2}}});
    drop({inner});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 3; }));
    document().look.change([](Look& look) { look.quantity = Quantity::signedDistance; });
    const auto within = [&] {
        return surfaceValues(window().shownDocument(), MeshId::opened(3), Quantity::signedDistance)
            .values;
    };
    ASSERT_TRUE(waitUntil([&] { return bool(within()); }));
    for (const float distance : *within()) EXPECT_NEAR(distance, -0.05F, 1e-6F);
    settle();
}

TEST_F(MeshesWithoutSample, haveTwoPlainColours_inAnOverlay) {
    const fs::path theirs = folder() / "theirs.obj";
    writeMesh(theirs, MeshFormat::obj,
              {{{0.35F, 0, 0}, {0.65F, 0, 0}, {0.35F, 0.3F, 0}, {0.35F, 0, 0.3F}},
               {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    drop({writeTetrahedron("mine.obj", 0.3F), theirs});
    ASSERT_TRUE(
        waitUntil([&] { return document().opened.first() && document().opened.reference(); }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(document().shownQuantity(), Quantity::distanceToTruth);
    EXPECT_FALSE(overlayColours(document(), themeColours(Theme::dark)));
    document().look.change([](Look& look) {
        look.paneLayout = PaneLayout::overlay;
        look.opacity = 1;
    });
    EXPECT_EQ(document().shownQuantity(), Quantity::none);
    const auto colours = overlayColours(document(), themeColours(Theme::dark));
    ASSERT_TRUE(colours);
    const auto fractionOf = [&](const QColor& colour) {
        const int hue = colour.hsvHue();
        return test::fractionOfHues(picture(), (hue + 345) % 360, (hue + 15) % 360);
    };
    EXPECT_GT(fractionOf((*colours)[0]), 0.005);
    EXPECT_GT(fractionOf((*colours)[1]), 0.005);
    EXPECT_NE(feature<PaneHeaders>().first().swatch(), feature<PaneHeaders>().second().swatch());
    EXPECT_EQ(feature<PaneHeaders>().first().swatch(), (*colours)[0].name());
    document().look.change([](Look& look) { look.paneLayout = PaneLayout::sideBySide; });
    EXPECT_TRUE(feature<PaneHeaders>().first().swatch().isEmpty());
    settle();
}

}  // namespace
}  // namespace threefold::ui
