#include "ui/document/document.h"

#include <gtest/gtest.h>

#include <QObject>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

TEST(Document, signalsOnlyWhatChanged) {
    Document document;
    int looks = 0, results = 0;
    Look before;
    QObject::connect(&document, &Document::lookChanged, [&](const Look& old) {
        ++looks;
        before = old;
    });
    QObject::connect(&document, &Document::resultChanged, [&] { ++results; });
    document.setLook(Look());
    document.setResult(nullptr);
    EXPECT_EQ(looks + results, 0);
    document.setLook({.morphPosition = -2.5F});
    EXPECT_EQ(looks, 1);
    EXPECT_EQ(before, Look());
    document.setResult(std::make_shared<Result>());
    EXPECT_EQ(results, 1);
}

TEST(Document, showsThePhotographs_whenADistanceLacksItsTruth) {
    Document document;
    document.setLook({.quantity = Quantity::distanceToTruth});
    EXPECT_EQ(document.quantity(), Quantity::distanceToTruth);
    auto result = std::make_shared<Result>();
    document.setResult(result);
    EXPECT_EQ(document.quantity(), Quantity::photographs);
    EXPECT_EQ(document.look().quantity, Quantity::distanceToTruth);  // as saved
    document.setLook({.quantity = Quantity::movement});
    EXPECT_EQ(document.quantity(), Quantity::movement);
    auto judged = std::make_shared<Result>();
    judged->truth = std::make_shared<render::SceneMesh>();
    document.setLook({.quantity = Quantity::distanceFromTruth});
    document.setResult(judged);
    EXPECT_EQ(document.quantity(), Quantity::distanceFromTruth);
}

OpenedMeshRef withValues(const std::vector<std::string>& names) {
    auto opened = std::make_shared<OpenedMesh>();
    opened->mesh = std::make_shared<render::SceneMesh>(render::SceneMesh{{{0, 0, 0}}, {}});
    auto scalars = std::make_shared<std::vector<VertexScalars>>();
    for (const std::string& name : names) scalars->push_back({name, {0.5F}});
    opened->scalars = scalars;
    return opened;
}

TEST(Document, showsTheValuesOfTheFile_whenAMeshHasNoSample) {
    Document document;
    document.setLook({.quantity = Quantity::distanceToTruth});
    document.setOpened(MeshId::opened(1), withValues({"depth", "error"}));
    EXPECT_EQ(document.quantity(), Quantity::fileValues);
    EXPECT_EQ(document.fileValues(), "depth");
    document.setOpened(MeshId::opened(2), withValues({"error", "quality"}));
    EXPECT_EQ(document.fileValueNames(), (std::vector<std::string>{"depth", "error", "quality"}));
    EXPECT_EQ(document.fileValues(), "quality");
    document.changeLook([](Look& look) { look.fileValues = "error"; });
    EXPECT_EQ(document.fileValues(), "error");
    document.setOpened(MeshId::opened(1), nullptr);
    document.setOpened(MeshId::opened(2), nullptr);
    EXPECT_EQ(document.fileValues(), "");
}

TEST(Document, showsMeshesWithoutASamplePlain_inAnOverlay) {
    Document document;
    document.setLook({.layout = Layout::overlay, .quantity = Quantity::fileValues});
    document.setOpened(MeshId::opened(1), withValues({"quality"}));
    EXPECT_EQ(document.quantity(), Quantity::fileValues);  // one is no overlay
    document.setOpened(MeshId::opened(2), withValues({"quality"}));
    EXPECT_EQ(document.quantity(), Quantity::none);
    document.setResult(std::make_shared<Result>());
    EXPECT_EQ(document.quantity(), Quantity::fileValues);
}

TEST(Document, forgetsPickedVertices_whenTheirMeshIsClosed) {
    Document document;
    document.setMarked(PickedVertex{MeshId::result, 7});
    document.setHovered(PickedVertex{MeshId::first, 3});
    document.setResult(std::make_shared<Result>());
    EXPECT_FALSE(document.marked());
    EXPECT_FALSE(document.hovered());
    document.setMarked(PickedVertex{MeshId::opened(1), 7});
    document.setOpened(MeshId::opened(1), std::make_shared<OpenedMesh>());
    EXPECT_FALSE(document.marked());
}

TEST(Document, showsTheRefinedMeshAsTheFitsStart_onlyWhenResultsAreFitted) {
    const auto result = std::make_shared<Result>();
    result->morph.stages[test::kRefinedStage].mesh = std::make_shared<render::SceneMesh>();
    Document document;
    document.setResult(result);
    EXPECT_EQ(document.fitSoFar(), nullptr);
    document.setFitChoice({.on = true});
    EXPECT_EQ(document.fitSoFar(), result->mesh(MeshId::result));
    const auto next = std::make_shared<Result>(*result);
    document.setResult(next);
    EXPECT_EQ(document.fitSoFar(), result->mesh(MeshId::result));
    const auto ended = std::make_shared<Result>(*result);
    ended->fit.emplace();
    document.setResult(ended);
    EXPECT_EQ(document.fitSoFar(), nullptr);
}

TEST(Document, fitsAgain_whenTheChoiceOfTheFitChanges) {
    const auto before = std::make_shared<Result>();
    before->morph.stages[test::kRefinedStage].mesh = std::make_shared<render::SceneMesh>();
    const auto fitted = std::make_shared<Result>(*before);
    fitted->morph.stages[test::kFittedStage].mesh = std::make_shared<render::SceneMesh>();
    fitted->beforeFit = before;
    fitted->fit.emplace().requested = {true, FitRequest::Kind::all};
    Document document;
    document.setFitChoice({true, FitRequest::Kind::all});
    document.setResult(fitted);
    EXPECT_EQ(document.result(), fitted);
    EXPECT_FALSE(document.awaitsFit());
    document.setFitChoice({true, FitRequest::Kind::chosen});
    EXPECT_EQ(document.result(), before);
    EXPECT_TRUE(document.awaitsFit());
    document.setResult(fitted);
    EXPECT_EQ(document.result(), fitted);
    EXPECT_FALSE(document.awaitsFit());
    document.setFitChoice({true, FitRequest::Kind::all, FitSurface::hull});
    EXPECT_EQ(document.result(), before);
    document.setFitChoice({false, FitRequest::Kind::all});
    EXPECT_EQ(document.result(), before);
    EXPECT_FALSE(document.awaitsFit());
}

TEST(Document, awaitsNoDeclinedFit_untilTheChoiceChanges) {
    const auto result = std::make_shared<Result>();
    result->morph.stages[test::kRefinedStage].mesh = std::make_shared<render::SceneMesh>();
    Document document;
    document.setFitChoice({true, FitRequest::Kind::all});
    document.setResult(result);
    document.declineFit();
    EXPECT_FALSE(document.awaitsFit());
    EXPECT_EQ(document.run().phase, RunState::Phase::cancelled);
    document.setResult(std::make_shared<Result>(*result));
    EXPECT_TRUE(document.awaitsFit());
    document.setResult(result);
    EXPECT_FALSE(document.awaitsFit());
    document.setFitChoice({true, FitRequest::Kind::chosen});
    EXPECT_TRUE(document.awaitsFit());
}

TEST(Document, showsAFitsProgress_onlyWhileNothingIsReconstructed) {
    Document document;
    document.advanceFit(FitProgress{FitStep::mesh, 0.5});
    EXPECT_EQ(document.run().phase, RunState::Phase::fitting);
    EXPECT_EQ(document.run().fraction, 0.5);
    RunState run;
    run.phase = RunState::Phase::running;
    run.stepFractions = {0.25, 0.25, 0.5};
    document.setRun(run);
    document.advanceFit(FitProgress{FitStep::mesh, 0.75});
    EXPECT_EQ(document.run().phase, RunState::Phase::running);
    document.advanceRun({kAllRunSteps[1], 0.5F});
    EXPECT_DOUBLE_EQ(document.run().fraction, 0.375);
    document.advanceFit(std::nullopt);
    EXPECT_TRUE(document.run().active());
    document.endRun(nullptr);
    EXPECT_EQ(document.run().phase, RunState::Phase::idle);
    document.advanceFit(FitProgress{FitStep::mesh, 0.75});
    document.advanceFit(std::nullopt);
    EXPECT_FALSE(document.run().active());
}

TEST(Document, countsAllStepsOfAFit_whenDepthMayFollow) {
    Document document;
    const auto result = std::make_shared<Result>();
    document.setResult(result);
    document.advanceFit(FitProgress{FitStep::mesh, 0.5});
    EXPECT_EQ(document.run().fraction, 0.5);  // of the network's mesh alone
    document.setFitChoice({.on = true, .from = FitSurface::depth});
    double before = 0;
    for (const FitStep step : {FitStep::mesh, FitStep::hull, FitStep::depth}) {
        for (const double fraction : {0.25, 0.75}) {
            document.advanceFit(FitProgress{step, fraction});
            EXPECT_EQ(document.run().fit, (FitProgress{step, fraction}));
            EXPECT_GT(document.run().fraction, before);
            before = document.run().fraction;
        }
    }
    document.advanceFit(FitProgress{FitStep::depth, 1});
    EXPECT_DOUBLE_EQ(document.run().fraction, 1);
    // A step that nothing announced is all of the bar.
    document.setFitChoice({.on = true, .from = FitSurface::network});
    document.advanceFit(FitProgress{FitStep::depth, 0.5});
    EXPECT_EQ(document.run().fraction, 1);
}

TEST(Document, keepsTheNewestDepthMapOfEachView_duringAFit) {
    Document document;
    document.setResult(std::make_shared<Result>());
    int told = 0;
    QObject::connect(&document, &Document::depthsAdvanced, [&] { ++told; });
    document.advanceFit(FitProgress{FitStep::hull, 0});
    document.addDepthsSoFar({{3, 1, {0.5F}}, {1, 1, {0.6F}}});
    document.advanceFit(FitProgress{FitStep::depth, 0.5});
    document.addDepthsSoFar({{3, 1, {0.7F}}});
    ASSERT_EQ(document.depthsSoFar().size(), 2U);
    EXPECT_EQ(document.depthsSoFar()[0].depth, std::vector{0.7F});
    EXPECT_EQ(told, 2);
    document.advanceFit(std::nullopt);
    EXPECT_TRUE(document.depthsSoFar().empty());
    EXPECT_EQ(told, 3);
    document.addDepthsSoFar({{3, 1, {0.5F}}});
    document.setResult(std::make_shared<Result>());
    EXPECT_TRUE(document.depthsSoFar().empty());
}

TEST(Document, keepsPickedVertices_whenAFitIsAddedToTheSameMeshes) {
    const auto before = std::make_shared<Result>();
    before->morph.stages[test::kRefinedStage].mesh = std::make_shared<render::SceneMesh>();
    Document document;
    document.setResult(before);
    document.setMarked(PickedVertex{MeshId::result, 7});
    document.setResult(std::make_shared<Result>(*before));
    EXPECT_TRUE(document.marked());
}

TEST(Document, forgetsPickedVertices_whenTheFittedMeshHasOtherVertices) {
    const auto before = std::make_shared<Result>();
    before->morph.stages[test::kRefinedStage].mesh = std::make_shared<render::SceneMesh>();
    const auto hull = std::make_shared<Result>(*before);
    hull->morph.stages[test::kFittedStage].mesh = std::make_shared<render::SceneMesh>();
    Document document;
    document.setResult(before);
    const PickedVertex vertex{MeshId::result, 7};
    document.setMarked(vertex);
    document.setResult(hull);
    EXPECT_FALSE(document.marked());
    document.setMarked(vertex);
    document.setLook({.layout = Layout::wipe, .morphPosition = 0.25F});
    EXPECT_TRUE(document.marked());
    document.setLook({.layout = Layout::wipe, .morphPosition = 0.75F});
    EXPECT_FALSE(document.marked());
}

}  // namespace
}  // namespace threefold::ui
