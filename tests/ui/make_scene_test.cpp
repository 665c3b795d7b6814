#include "ui/panes/make_scene.h"

#include <memory>

#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"
#include "ui/document/value_range.h"
#include "ui/panes/header_text.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/vertex_text.h"

namespace threefold::ui {
namespace {

const ResultRef& result() {
    return test::bundledResult();
}

OpenedMeshRef opened() {
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh->faces = {{0, 1, 2}};
    return std::make_shared<const OpenedMesh>(OpenedMesh{"/tmp/other.obj", mesh});
}

bool isMissedTruth(const render::Layer& layer) {
    return layer.mesh && layer.mesh->faces.empty() && layer.mesh->vertexColours;
}

/// Scene without layers of missed truth, which another test checks.
render::Scene sceneOf(const Document& document) {
    render::Scene scene = makeScene({document}, themeColours(Theme::dark));
    for (render::Pane& pane : scene.panes) std::erase_if(pane.layers, isMissedTruth);
    return scene;
}

TEST(MakeScene, drawsMissedTruth_whenColoursAreDistances) {
    Document document;
    document.result.set(result());
    const auto missedIn = [&](std::size_t pane) {
        std::vector<render::Layer> layers =
            makeScene({document}, themeColours(Theme::dark)).panes[pane].layers;
        std::erase_if(layers, [](const render::Layer& layer) { return !isMissedTruth(layer); });
        return layers;
    };
    for (const std::size_t pane : {0U, 1U}) {
        const std::size_t stage =
            result()->morph.stageIndex(pane == 0 ? MeshId::firstPublished : MeshId::result).value();
        ASSERT_TRUE(result()->evaluation()->missed[stage].points);
        ASSERT_EQ(missedIn(pane).size(), 1U);
        const render::Layer layer = missedIn(pane).front();
        EXPECT_EQ(layer.mesh, result()->evaluation()->missed[stage].points);
        EXPECT_EQ(layer.shading, render::Shading::points);
        EXPECT_EQ(layer.colouring, render::Colouring::vertexColours);
        ASSERT_TRUE(layer.values);
        EXPECT_EQ(layer.values->size(), layer.mesh->vertices.size());
    }
    document.look.change([](Look& look) { look.paneLayout = PaneLayout::wipe; });
    ASSERT_EQ(missedIn(0).size(), 2U);
    EXPECT_EQ(missedIn(0)[0].rightEdge, missedIn(0)[1].leftEdge);
    document.look.change([](Look& look) { look.quantity = Quantity::normals; });
    EXPECT_TRUE(missedIn(0).empty());
}

TEST(MakeScene, hasTwoEmptyPanes_withoutResult) {
    const Document document;
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes.size(), 2U);
    EXPECT_TRUE(scene.panes[0].layers.empty());
}

TEST(MakeScene, hasThePanesOfAResult_duringTheFirstRun) {
    Document document;
    document.run.beginReconstruction(ReconstructionRun());
    EXPECT_EQ(sceneOf(document).panes.size(), document.fit.choice().on ? 3U : 2U);
    FitChoice without = document.fit.choice();
    without.on = false;
    document.fit.setChoice(without);
    EXPECT_EQ(sceneOf(document).panes.size(), 2U);
    document.look.change([](Look& look) { look.panes = {MeshId::photograph, MeshId::textured}; });
    EXPECT_EQ(shownIds(document), (std::vector{MeshId::photograph, MeshId::textured}));
    EXPECT_EQ(sceneOf(document).panes.size(), 2U);
}

TEST(MakeScene, hasNoPaneOfThePhotograph_inAWipe) {
    Document document;
    document.result.set(result());
    document.look.change([](Look& look) {
        look.panes = {MeshId::photograph, MeshId::textured, MeshId::firstPublished};
    });
    EXPECT_TRUE(sceneOf(document).panes.at(0).layers.empty());  // no photograph has been read
    EXPECT_EQ(sceneOf(document).panes.size(), 3U);
    // MeshId::textured without a fitted mesh is the refined mesh.
    EXPECT_EQ(sceneOf(document).panes[1].layers.at(0).mesh, result()->mesh(MeshId::result));
    document.look.change([](Look& look) { look.paneLayout = PaneLayout::wipe; });
    const render::Scene wiped = sceneOf(document);
    ASSERT_EQ(wiped.panes.size(), 1U);
    EXPECT_EQ(wiped.panes[0].layers.size(), 2U);
}

TEST(MakeScene, hasOnePane_forAnOpenedMeshWithoutResult) {
    Document document;
    document.opened.set(MeshId::opened(1), opened());
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes.size(), 1U);
    ASSERT_EQ(scene.panes[0].layers.size(), 1U);
    EXPECT_EQ(scene.panes[0].layers[0].mesh, document.opened.first()->mesh);
}

TEST(MakeScene, showsAMeshsOwnColours_whenThereIsNoTruth) {
    Document document;
    auto painted = std::make_shared<render::SceneMesh>(*opened()->mesh);
    painted->vertexColours = std::make_shared<const render::SceneValues>(3, 255.0F);
    document.opened.set(MeshId::opened(1), opened());
    EXPECT_EQ(sceneOf(document).panes[0].layers.at(0).colouring, render::Colouring::plain);
    document.opened.set(MeshId::opened(1),
                        std::make_shared<OpenedMesh>(OpenedMesh{"a.ply", painted}));
    EXPECT_EQ(sceneOf(document).panes[0].layers.at(0).colouring, render::Colouring::vertexColours);
}

TEST(MakeScene, hasTheChosenColours_andContrastingMarks) {
    Document document;
    document.result.set(result());
    document.pointed.setMarked(VertexId{MeshId::result, 3});
    document.look.change([](Look& look) {
        look.surfaceColour = 0xFF0000;
        look.backgroundColour = 0xFFFFFF;
    });
    const render::Scene scene = sceneOf(document);
    EXPECT_EQ(scene.background, glm::vec4(1.0F));
    EXPECT_EQ(scene.panes[0].layers.at(0).plainColour, glm::vec3(1, 0, 0));
    const QColor light = themeColours(Theme::light).accent;
    EXPECT_NEAR(scene.panes[1].markers.at(0).colour.x, light.redF(), 1e-3F);
}

std::vector<render::SceneMeshRef> meshesIn(const render::Scene& scene) {
    std::vector<render::SceneMeshRef> meshes;
    for (const render::Pane& pane : scene.panes)
        for (const render::Layer& layer : pane.layers) meshes.push_back(layer.mesh);
    return meshes;
}

TEST(MakeScene, showsTheChosenMeshOfEachPane_whenItExists) {
    Document document;
    document.result.set(result());
    document.opened.set(MeshId::opened(1), opened());
    document.opened.set(MeshId::opened(3), opened());
    const render::SceneMeshRef coarse = result()->mesh(MeshId::firstPublished),
                               refined = result()->mesh(MeshId::result),
                               truth = result()->mesh(MeshId::truth),
                               first = document.opened.first()->mesh,
                               third = document.opened.find(MeshId::opened(3))->mesh;
    EXPECT_EQ(meshesIn(sceneOf(document)), (std::vector{first, refined, third}));
    document.look.change([](Look& look) {
        look.panes = {MeshId::truth,  MeshId::opened(3), MeshId::firstPublished,
                      MeshId::result, MeshId::opened(2), MeshId::opened(1)};
    });
    EXPECT_EQ(meshesIn(sceneOf(document)), (std::vector{truth, third, coarse, refined, first}));
    EXPECT_EQ(sceneOf(document).panes.size(), 5U);
    document.look.change([](Look& look) { look.swapped = true; });
    EXPECT_EQ(meshesIn(sceneOf(document)), (std::vector{third, truth, coarse, refined, first}));
    // In a wipe, the first two meshes share a pane.
    document.look.change([](Look& look) { look.paneLayout = PaneLayout::wipe; });
    const render::Scene wiped = sceneOf(document);
    ASSERT_EQ(wiped.panes.size(), 4U);
    EXPECT_EQ(wiped.panes[0].layers.size(), 2U);
    EXPECT_TRUE(wiped.panes[0].seamPosition);
    // After the only chosen mesh is closed, the default panes are shown.
    document.look.change([](Look& look) { look = {.panes = {MeshId::opened(3)}}; });
    document.opened.set(MeshId::opened(3), nullptr);
    EXPECT_EQ(meshesIn(sceneOf(document)), (std::vector{first, refined}));
}

TEST(MakeScene, sharesOneRange_betweenBothPanes) {
    Document document;
    document.result.set(result());
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes.size(), 2U);
    EXPECT_EQ(scene.panes[0].layers.at(0).mesh, result()->mesh(MeshId::firstPublished));
    EXPECT_EQ(scene.panes[1].layers.at(0).mesh, result()->mesh(MeshId::result));
    for (const render::Pane& pane : scene.panes) {
        EXPECT_EQ(pane.layers[0].colouring, render::Colouring::values);
        EXPECT_EQ(pane.layers[0].colourScale.max, scene.panes[0].layers[0].colourScale.max);
        EXPECT_FALSE(pane.seamPosition);
    }
    document.look.set({.quantity = Quantity::none});
    EXPECT_EQ(sceneOf(document).panes[0].layers[0].colouring, render::Colouring::plain);
    document.look.set({.quantity = Quantity::normals});
    EXPECT_EQ(sceneOf(document).panes[0].layers[0].colouring, render::Colouring::normals);
}

TEST(MakeScene, isPlain_whenThereIsNoTruth) {
    Document document;
    document.result.set(
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction()));
    EXPECT_EQ(sceneOf(document).panes[0].layers[0].colouring, render::Colouring::plain);
}

TEST(MakeScene, splitsOnePaneAtTheSeam_inAWipe) {
    Document document;
    document.result.set(result());
    document.look.set({.paneLayout = PaneLayout::wipe, .seamPosition = 0.3F});
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes.size(), 1U);
    EXPECT_EQ(scene.panes[0].seamPosition, 0.3F);
    const auto& layers = scene.panes[0].layers;
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].mesh, result()->mesh(MeshId::firstPublished));
    EXPECT_EQ(layers[0].rightEdge, 0.3F);
    EXPECT_EQ(layers[1].mesh, result()->mesh(MeshId::result));
    EXPECT_EQ(layers[1].leftEdge, 0.3F);
}

TEST(MakeScene, drawsTheSecondMeshOverTheFirst_inAnOverlay) {
    Document document;
    document.result.set(result());
    document.look.set({.paneLayout = PaneLayout::overlay, .opacity = 0.25F});
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes.size(), 1U);
    const auto& layers = scene.panes[0].layers;
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].opacity, 1.0F);
    EXPECT_EQ(layers[1].mesh, result()->mesh(MeshId::result));
    EXPECT_EQ(layers[1].opacity, 0.25F);
}

TEST(MakeScene, showsTheTruthLast_inEveryLayout) {
    Document document;
    document.result.set(result());
    for (const PaneLayout layout :
         {PaneLayout::sideBySide, PaneLayout::wipe, PaneLayout::overlay}) {
        document.look.set({.paneLayout = layout, .truthPane = true});
        const render::Scene scene = sceneOf(document);
        ASSERT_EQ(scene.panes.size(), layout == PaneLayout::sideBySide ? 3U : 2U);
        const render::Layer& truth = scene.panes.back().layers.at(0);
        EXPECT_EQ(truth.mesh, result()->mesh(MeshId::truth));
        EXPECT_EQ(truth.shading, render::Shading::points);
    }
}

TEST(MakeScene, exchangesMeshes_whenSwappedOrBlinking) {
    Document document;
    document.result.set(result());
    const auto first = [&] { return sceneOf(document).panes[0].layers.at(0).mesh; };
    document.look.setBlinking(true);
    EXPECT_EQ(first(), result()->mesh(MeshId::result));
    document.look.set({.swapped = true});
    EXPECT_EQ(first(), result()->mesh(MeshId::firstPublished));
    document.look.setBlinking(false);
    EXPECT_EQ(first(), result()->mesh(MeshId::result));
}

TEST(MakeScene, showsOnlyTheFirstMesh_whileAnOverlayBlinks) {
    Document document;
    document.result.set(result());
    document.look.set({.paneLayout = PaneLayout::overlay});
    document.look.setBlinking(true);
    const auto layers = sceneOf(document).panes.at(0).layers;
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(layers[0].mesh, result()->mesh(MeshId::firstPublished));
    EXPECT_EQ(layers[0].opacity, 1.0F);
}

TEST(MakeScene, showsTheOpenedMeshBesideTheResult) {
    Document document;
    document.result.set(result());
    document.opened.set(MeshId::opened(1), opened());
    const render::Scene scene = sceneOf(document);
    EXPECT_EQ(scene.panes[0].layers.at(0).mesh, document.opened.first()->mesh);
    EXPECT_EQ(scene.panes[1].layers.at(0).mesh, result()->mesh(MeshId::result));
}

TEST(MakeScene, marksTheSameVertexInBothPanes) {
    Document document;
    document.result.set(result());
    document.pointed.setHovered(VertexId{MeshId::firstPublished, 100});
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes[0].markers.size(), 1U);
    ASSERT_EQ(scene.panes[1].markers.size(), 1U);
    EXPECT_EQ(scene.panes[0].markers[0].position,
              result()->mesh(MeshId::firstPublished)->vertices[100]);
    EXPECT_EQ(scene.panes[1].markers[0].position, result()->mesh(MeshId::result)->vertices[100]);
    document.pointed.setHovered(VertexId{MeshId::firstPublished, 10'000'000});
    EXPECT_TRUE(sceneOf(document).panes[0].markers.empty());
}

TEST(MakeScene, keepsItsMeshObjects_whileBetweenStages) {
    Document document;
    document.result.set(result());
    document.look.set({.morphPosition = -1.5F});
    const render::Layer before = sceneOf(document).panes[1].layers.at(0);
    EXPECT_NE(before.mesh, result()->mesh(MeshId::result));
    document.look.set({.seamPosition = 0.1F, .morphPosition = -1.5F});
    const render::Layer after = sceneOf(document).panes[1].layers.at(0);
    EXPECT_EQ(before.mesh, after.mesh);
    EXPECT_EQ(before.values, after.values);
}

TEST(MakeScene, hasAThirdPane_forTheFittedMesh) {
    const ResultRef fitted =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction());
    Document document;
    document.result.set(fitted);
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes.size(), 3U);
    EXPECT_EQ(scene.panes[0].layers.at(0).mesh, fitted->mesh(MeshId::firstPublished));
    EXPECT_EQ(scene.panes[1].layers.at(0).mesh, fitted->mesh(MeshId::result));
    EXPECT_EQ(scene.panes[2].layers.at(0).mesh, fitted->mesh(MeshId::fitted));
    EXPECT_EQ(scene.panes[2].layers[0].colourScale.max, scene.panes[0].layers[0].colourScale.max);
    document.look.set({.truthPane = true});
    ASSERT_EQ(sceneOf(document).panes.size(), 4U);
    EXPECT_EQ(sceneOf(document).panes[3].layers.at(0).mesh, fitted->mesh(MeshId::truth));
    // In a wipe, the stage slider chooses the second mesh.
    document.look.set({.paneLayout = PaneLayout::wipe, .morphPosition = kMorphFitted});
    ASSERT_EQ(sceneOf(document).panes.size(), 1U);
    EXPECT_EQ(sceneOf(document).panes[0].layers.at(1).mesh, fitted->mesh(MeshId::fitted));
}

TEST(MakeScene, keepsTheRefinedMeshBesideTheFittedOne_atAnyStage) {
    const ResultRef fitted =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction());
    Document document;
    document.result.set(fitted);
    for (const float position : {0.5F, kMorphFitted}) {
        document.look.set({.morphPosition = position});
        const render::Scene scene = sceneOf(document);
        ASSERT_EQ(scene.panes.size(), 3U);
        EXPECT_EQ(scene.panes[1].layers.at(0).mesh, fitted->mesh(MeshId::result));
        EXPECT_TRUE(scene.panes[1].layers[0].values);
        EXPECT_EQ(scene.panes[2].layers.at(0).mesh, fitted->mesh(MeshId::fitted));
        EXPECT_EQ(headerText({document}, MeshId::result).title, "Refined");
    }
}

TEST(VertexLines, nameTheMeshThatIsShown) {
    Document document;
    document.result.set(makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction()));
    const auto named = [&](const Look& look) {
        document.look.set(look);
        return vertexTipLines({document}, {MeshId::result, 7}).value(0);
    };
    EXPECT_EQ(named({}), "refined #7");
    EXPECT_EQ(named({.morphPosition = kMorphFitted}), "refined #7");
    EXPECT_EQ(named({.paneLayout = PaneLayout::wipe, .morphPosition = kMorphFitted}), "fitted #7");
    EXPECT_EQ(named({.morphPosition = test::kMorphLevel1}), "level 1 #7");
    EXPECT_EQ(named({.morphPosition = -1.5F}), "coarse → refined 1 #7");
}

TEST(MakeScene, showsTheFitAsItConverges_inItsOwnColours) {
    Document document;
    document.fit.setChoice({.on = true});
    document.result.set(result());
    ASSERT_EQ(sceneOf(document).panes.size(), 3U);
    EXPECT_EQ(sceneOf(document).panes[2].layers.at(0).mesh, result()->mesh(MeshId::result));
    document.look.set({.quantity = Quantity::movement});
    float moved = 0;
    for (int step = 1; step <= 2; ++step) {
        const auto mesh = std::make_shared<render::SceneMesh>(*result()->mesh(MeshId::result));
        moved += 0.25F;
        for (glm::vec3& vertex : mesh->vertices) vertex.x += moved;
        document.fit.setConvergingMesh(mesh);
        const render::Scene scene = sceneOf(document);
        const render::Layer& layer = scene.panes[2].layers.at(0);
        EXPECT_EQ(layer.mesh, mesh);
        ASSERT_TRUE(layer.values);
        // Vertex 7 has the value of this step, not of the previous one.
        EXPECT_NEAR(layer.values->at(7), moved, 1e-6F);
        EXPECT_EQ(layer.colourScale.max, scene.panes[1].layers.at(0).colourScale.max);
        // Values are computed once per step.
        EXPECT_EQ(sceneOf(document).panes[2].layers.at(0).values, layer.values);
    }
    document.fit.setConvergingMesh(nullptr);
    EXPECT_EQ(sceneOf(document).panes.size(), 2U);
}

TEST(MakeScene, marksTheNearestVertex_whenTheFittedMeshHasOtherVertices) {
    const ResultRef hull = makeResult(test::bundledSample(), {0, 6, 7}, test::hullReconstruction());
    Document document;
    document.result.set(hull);
    const auto expectNearest = [](glm::vec3 marked, glm::vec3 from, const Points& vertices) {
        for (const glm::vec3& vertex : vertices)
            EXPECT_LE(glm::distance(marked, from), glm::distance(vertex, from));
    };
    const auto marks = [&](const VertexId& vertex) {
        document.pointed.setMarked(vertex);
        std::vector<glm::vec3> places;
        for (const render::Pane& pane : sceneOf(document).panes)
            for (const render::Marker& marker : pane.markers) places.push_back(marker.position);
        return places;
    };
    const std::size_t last = hull->mesh(MeshId::firstPublished)->vertices.size() - 1;
    const std::size_t lastOfHull = hull->mesh(MeshId::fitted)->vertices.size() - 1;
    const auto ofRefined = marks({MeshId::result, last});
    ASSERT_EQ(ofRefined.size(), 3U);
    EXPECT_EQ(ofRefined[0], hull->mesh(MeshId::firstPublished)->vertices[last]);
    expectNearest(ofRefined[2], ofRefined[1], hull->mesh(MeshId::fitted)->vertices);
    const auto ofHull = marks({MeshId::fitted, lastOfHull});
    ASSERT_EQ(ofHull.size(), 3U);
    EXPECT_EQ(ofHull[2], hull->mesh(MeshId::fitted)->vertices[lastOfHull]);
    expectNearest(ofHull[1], ofHull[2], hull->mesh(MeshId::result)->vertices);
    // In a wipe at the fitted stage, the second marker is on the fitted mesh itself.
    document.look.set({.paneLayout = PaneLayout::wipe, .morphPosition = kMorphFitted});
    EXPECT_EQ(marks({MeshId::fitted, lastOfHull})[1],
              hull->mesh(MeshId::fitted)->vertices[lastOfHull]);
}

TEST(MakeResult, keepsTheHullBeforeItsRefinementByDepth_likeWithFit) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    const FittedSample fitted = test::sampleWithDepth();
    MeasuredSample measured{{before->sample, before->views}, before->reconstruction};
    EXPECT_EQ(makeResult(MeasuredSample(measured))->mesh(MeshId::hull), nullptr);
    measured.fit.emplace().hullFit = fitted.fit->hullFit;
    const ResultRef made = makeResult(std::move(measured));
    ASSERT_NE(made->mesh(MeshId::hull), nullptr);
    EXPECT_EQ(made->mesh(MeshId::hull)->vertices,
              withFit(before, {}, fitted)->mesh(MeshId::hull)->vertices);
}

TEST(MakeScene, showsTheStageAtTheSlider_inThePaneOfTheFittedMesh) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    Document document;
    document.result.set(withFit(before, {}, test::sampleWithDepth()));
    const std::vector chosen{MeshId::textured, MeshId::fitted};
    const auto shownAt = [&](float position) {
        document.look.change([&](Look& look) { look.morphPosition = position; });
        return shownIds(document);
    };
    document.look.change([&](Look& look) { look.panes = chosen; });
    EXPECT_EQ(shownAt(kMorphFitted), chosen);
    const ValueRange fitted = valueRange({document}, MeshId::fitted);
    EXPECT_EQ(shownAt(-1), (std::vector{MeshId::textured, MeshId::result}));
    EXPECT_EQ(paneIds(document), chosen);
    // The fitted mesh alone has a range of its own.
    EXPECT_NE(valueRange({document}, MeshId::result), fitted);
    // The slider's mesh has a pane already.
    document.look.change([](Look& look) { look.panes = {MeshId::result, MeshId::fitted}; });
    EXPECT_EQ(shownAt(-1), (std::vector{MeshId::result, MeshId::fitted}));
    EXPECT_NE(valueRange({document}, MeshId::fitted), fitted);
    // A fit of the next result is shown while the slider has not moved.
    document.look.change([&](Look& look) { look.panes = chosen; });
    document.result.set(before);
    EXPECT_EQ(shownAt(kMorphResult), chosen);
    EXPECT_EQ(shownAt(-1), (std::vector{MeshId::textured, MeshId::result}));
}

TEST(MakeScene, showsTheHullBesideTheFittedMesh_andMarksTheNearestVertex) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    const ResultRef result = withFit(before, {}, test::sampleWithDepth());
    Document document;
    document.look.set({.panes = {MeshId::hull, MeshId::fitted}, .morphPosition = kMorphFitted});
    document.result.set(before);
    EXPECT_EQ(sceneOf(document).panes.at(0).layers.at(0).mesh, nullptr);
    EXPECT_EQ(headerText({document}, MeshId::hull).title, "No hull beside the fitted mesh");
    document.result.set(result);
    EXPECT_EQ(headerText({document}, MeshId::hull).title, "Hull");
    const std::size_t last = result->mesh(MeshId::fitted)->vertices.size() - 1;
    document.pointed.setMarked(VertexId{MeshId::fitted, last});
    const render::Scene scene = sceneOf(document);
    ASSERT_EQ(scene.panes.size(), 2U);
    EXPECT_EQ(scene.panes[0].layers.at(0).mesh, result->mesh(MeshId::hull));
    EXPECT_EQ(scene.panes[1].layers.at(0).mesh, result->mesh(MeshId::fitted));
    const glm::vec3 marked = scene.panes[0].markers.at(0).position;
    for (const glm::vec3& vertex : result->mesh(MeshId::hull)->vertices)
        EXPECT_LE(glm::distance(marked, result->mesh(MeshId::fitted)->vertices[last]),
                  glm::distance(vertex, result->mesh(MeshId::fitted)->vertices[last]));
}

TEST(MakeScene, marksNoVertex_onAMeshWithoutVertices) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    auto result = std::make_shared<Result>(*withFit(before, {}, test::sampleWithDepth()));
    std::get<Result::Fitted>(result->state).hull = std::make_shared<render::SceneMesh>();
    Document document;
    document.look.set({.panes = {MeshId::hull, MeshId::fitted}});
    document.result.set(result);
    document.pointed.setMarked(VertexId{MeshId::fitted, 0});
    const render::Scene scene = sceneOf(document);
    EXPECT_TRUE(scene.panes.at(0).markers.empty());
    EXPECT_EQ(scene.panes.at(1).markers.size(), 1U);
}

TEST(MakeScene, marksTheSameVertex_inAllStages) {
    Document document;
    document.result.set(makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction()));
    document.pointed.setMarked(VertexId{MeshId::fitted, 100});
    for (const render::Pane& pane : sceneOf(document).panes) EXPECT_EQ(pane.markers.size(), 1U);
}

}  // namespace
}  // namespace threefold::ui
