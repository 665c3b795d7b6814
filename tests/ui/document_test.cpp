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
    QObject::connect(&document.look, &LookModel::changed, [&](const Look& old) {
        ++looks;
        before = old;
    });
    QObject::connect(&document.result, &ResultModel::changed, [&] { ++results; });
    document.look.set(Look());
    document.result.set(nullptr);
    EXPECT_EQ(looks + results, 0);
    document.look.set({.morphPosition = -2.5F});
    EXPECT_EQ(looks, 1);
    EXPECT_EQ(before, Look());
    document.result.set(std::make_shared<Result>());
    EXPECT_EQ(results, 1);
}

TEST(Document, updatesItsModels_beforeOthersAreNotified) {
    const auto result = test::resultWithMesh();
    Document document;
    document.fit.setChoice({.on = true});
    document.pointed.setMarked(VertexId{MeshId::result, 7});
    int notifications = 0;
    QObject::connect(&document.result, &ResultModel::changed, [&](const ResultRef& before) {
        ++notifications;
        EXPECT_EQ(before, nullptr);
        EXPECT_EQ(document.fit.convergingMesh(), result->mesh(MeshId::result));
        EXPECT_FALSE(document.pointed.marked());
    });
    document.result.set(result);
    EXPECT_EQ(notifications, 1);
}

TEST(RunModel, endsTheRun_beforeTheResultIsSet) {
    Document document;
    document.run.beginReconstruction(ReconstructionRun());
    bool isActive = true;
    QObject::connect(&document.result, &ResultModel::changed,
                     [&] { isActive = document.run.state().isActive(); });
    document.run.finish(std::make_shared<Result>());
    EXPECT_FALSE(isActive);
}

TEST(RunModel, keepsTheReconstruction_whenAFitEnds) {
    Document document;
    document.run.beginReconstruction(ReconstructionRun());
    int signalled = 0;
    QObject::connect(&document.run, &RunModel::advanced, [&] { ++signalled; });
    document.run.endFit();
    EXPECT_TRUE(document.run.state().isReconstructing());
    EXPECT_EQ(signalled, 0);
}

TEST(Document, showsThePhotographs_whenADistanceLacksItsTruth) {
    Document document;
    document.look.set({.quantity = Quantity::distanceToTruth});
    EXPECT_EQ(document.shownQuantity(), Quantity::distanceToTruth);
    auto result = std::make_shared<Result>();
    document.result.set(result);
    EXPECT_EQ(document.shownQuantity(), Quantity::photographs);
    EXPECT_EQ(document.look.current().quantity, Quantity::distanceToTruth);  // as saved
    document.look.set({.quantity = Quantity::movement});
    EXPECT_EQ(document.shownQuantity(), Quantity::movement);
    auto judged = std::make_shared<Result>();
    judged->truth.emplace().points = std::make_shared<render::SceneMesh>();
    document.look.set({.quantity = Quantity::distanceFromTruth});
    document.result.set(judged);
    EXPECT_EQ(document.shownQuantity(), Quantity::distanceFromTruth);
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
    document.look.set({.quantity = Quantity::distanceToTruth});
    document.opened.set(MeshId::opened(1), withValues({"depth", "error"}));
    EXPECT_EQ(document.shownQuantity(), Quantity::fileValues);
    EXPECT_EQ(document.fileValues(), "depth");
    document.opened.set(MeshId::opened(2), withValues({"error", "quality"}));
    EXPECT_EQ(document.opened.fileValueNames(),
              (std::vector<std::string>{"depth", "error", "quality"}));
    EXPECT_EQ(document.fileValues(), "quality");
    document.look.change([](Look& look) { look.fileValues = "error"; });
    EXPECT_EQ(document.fileValues(), "error");
    document.opened.set(MeshId::opened(1), nullptr);
    document.opened.set(MeshId::opened(2), nullptr);
    EXPECT_EQ(document.fileValues(), "");
}

TEST(Document, showsMeshesWithoutASamplePlain_inAnOverlay) {
    Document document;
    document.look.set({.layout = Layout::overlay, .quantity = Quantity::fileValues});
    document.opened.set(MeshId::opened(1), withValues({"quality"}));
    EXPECT_EQ(document.shownQuantity(), Quantity::fileValues);  // one is no overlay
    document.opened.set(MeshId::opened(2), withValues({"quality"}));
    EXPECT_EQ(document.shownQuantity(), Quantity::none);
    document.result.set(std::make_shared<Result>());
    EXPECT_EQ(document.shownQuantity(), Quantity::fileValues);
}

TEST(PointedVertices, forgetsPickedVertices_whenTheirMeshIsClosed) {
    Document document;
    document.pointed.setMarked(VertexId{MeshId::result, 7});
    document.pointed.setHovered(VertexId{MeshId::first, 3});
    document.result.set(std::make_shared<Result>());
    EXPECT_FALSE(document.pointed.marked());
    EXPECT_FALSE(document.pointed.hovered());
    document.pointed.setMarked(VertexId{MeshId::opened(1), 7});
    document.opened.set(MeshId::opened(1), std::make_shared<OpenedMesh>());
    EXPECT_FALSE(document.pointed.marked());
}

TEST(FitModel, showsTheRefinedMeshAsTheFitsStart_onlyWhenResultsAreFitted) {
    const auto result = test::resultWithMesh();
    Document document;
    document.result.set(result);
    EXPECT_EQ(document.fit.convergingMesh(), nullptr);
    document.fit.setChoice({.on = true});
    EXPECT_EQ(document.fit.convergingMesh(), result->mesh(MeshId::result));
    const auto next = std::make_shared<Result>(*result);
    document.result.set(next);
    EXPECT_EQ(document.fit.convergingMesh(), result->mesh(MeshId::result));
    const auto ended = std::make_shared<Result>(*result);
    ended->fit.emplace();
    document.result.set(ended);
    EXPECT_EQ(document.fit.convergingMesh(), nullptr);
}

TEST(FitModel, fitsAgain_whenTheChoiceOfTheFitChanges) {
    const auto before = test::resultWithMesh();
    const auto fitted = test::fittedResult(before, {true, FitViews::Kind::all});
    Document document;
    document.fit.setChoice({true, FitViews::Kind::all});
    document.result.set(fitted);
    EXPECT_EQ(document.result.current(), fitted);
    EXPECT_FALSE(document.fit.isPending());
    document.fit.setChoice({true, FitViews::Kind::chosen});
    EXPECT_EQ(document.result.current(), before);
    EXPECT_TRUE(document.fit.isPending());
    document.result.set(fitted);
    EXPECT_EQ(document.result.current(), fitted);
    EXPECT_FALSE(document.fit.isPending());
    document.fit.setChoice({true, FitViews::Kind::all, FitSource::hull});
    EXPECT_EQ(document.result.current(), before);
    document.fit.setChoice({false, FitViews::Kind::all});
    EXPECT_EQ(document.result.current(), before);
    EXPECT_FALSE(document.fit.isPending());
}

TEST(FitModel, awaitsNoDeclinedFit_untilTheChoiceChanges) {
    const auto result = test::resultWithMesh();
    Document document;
    document.fit.setChoice({true, FitViews::Kind::all});
    document.result.set(result);
    document.fit.decline();
    EXPECT_FALSE(document.fit.isPending());
    EXPECT_FALSE(document.run.state().isActive());
    document.result.set(std::make_shared<Result>(*result));
    EXPECT_TRUE(document.fit.isPending());
    document.result.set(result);
    EXPECT_FALSE(document.fit.isPending());
    document.fit.setChoice({true, FitViews::Kind::chosen});
    EXPECT_TRUE(document.fit.isPending());
}

TEST(FitModel, showsAFitsProgress_onlyWhileNothingIsReconstructed) {
    Document document;
    document.fit.advance(FitProgress{FitStep::mesh, 0.5});
    EXPECT_TRUE(document.run.state().fit());
    EXPECT_EQ(document.run.state().totalFraction(), 0.5);
    document.run.beginReconstruction(ReconstructionRun{.stepFractions = {0.25, 0.25, 0.5}});
    document.fit.advance(FitProgress{FitStep::mesh, 0.75});
    EXPECT_TRUE(document.run.state().isReconstructing());
    document.run.advance({kAllRunSteps[1], 0.5F});
    EXPECT_DOUBLE_EQ(document.run.state().totalFraction(), 0.375);
    document.fit.end();
    EXPECT_TRUE(document.run.state().isActive());
    document.run.finish(nullptr);
    EXPECT_FALSE(document.run.state().isActive());
    document.fit.advance(FitProgress{FitStep::mesh, 0.75});
    document.fit.end();
    EXPECT_FALSE(document.run.state().isActive());
}

TEST(FitModel, countsAllStepsOfAFit_whenDepthMayFollow) {
    Document document;
    const auto result = std::make_shared<Result>();
    document.result.set(result);
    document.fit.advance(FitProgress{FitStep::mesh, 0.5});
    EXPECT_EQ(document.run.state().totalFraction(), 0.5);  // of the network's mesh alone
    document.fit.setChoice({.on = true, .surface = FitSource::depth});
    double before = 0;
    for (const FitStep step : {FitStep::mesh, FitStep::hull, FitStep::depth}) {
        for (const double fraction : {0.25, 0.75}) {
            document.fit.advance(FitProgress{step, fraction});
            EXPECT_EQ(document.run.state().fit()->progress, (FitProgress{step, fraction}));
            EXPECT_GT(document.run.state().totalFraction(), before);
            before = document.run.state().totalFraction();
        }
    }
    document.fit.advance(FitProgress{FitStep::depth, 1});
    EXPECT_DOUBLE_EQ(document.run.state().totalFraction(), 1);
    // A step that nothing announced is all of the bar.
    document.fit.setChoice({.on = true, .surface = FitSource::network});
    document.fit.advance(FitProgress{FitStep::depth, 0.5});
    EXPECT_EQ(document.run.state().totalFraction(), 1);
}

TEST(FitModel, keepsTheNewestDepthMapOfEachView_duringAFit) {
    Document document;
    document.result.set(std::make_shared<Result>());
    int told = 0;
    QObject::connect(&document.fit, &FitModel::intermediateDepthsChanged, [&] { ++told; });
    document.fit.advance(FitProgress{FitStep::hull, 0});
    document.fit.addIntermediateDepths({{3, 1, {0.5F}}, {1, 1, {0.6F}}});
    document.fit.advance(FitProgress{FitStep::depth, 0.5});
    document.fit.addIntermediateDepths({{3, 1, {0.7F}}});
    ASSERT_EQ(document.fit.intermediateDepths().size(), 2U);
    EXPECT_EQ(document.fit.intermediateDepths()[0].depth, std::vector{0.7F});
    EXPECT_EQ(told, 2);
    document.fit.end();
    EXPECT_TRUE(document.fit.intermediateDepths().empty());
    EXPECT_EQ(told, 3);
    document.fit.addIntermediateDepths({{3, 1, {0.5F}}});
    document.result.set(std::make_shared<Result>());
    EXPECT_TRUE(document.fit.intermediateDepths().empty());
}

TEST(PointedVertices, keepsPickedVertices_whenAFitIsAddedToTheSameMeshes) {
    const auto before = test::resultWithMesh();
    Document document;
    document.result.set(before);
    document.pointed.setMarked(VertexId{MeshId::result, 7});
    document.result.set(std::make_shared<Result>(*before));
    EXPECT_TRUE(document.pointed.marked());
}

TEST(PointedVertices, forgetsPickedVertices_whenTheFittedMeshHasOtherVertices) {
    const auto before = test::resultWithMesh();
    const auto hull = test::fittedResult(before);
    Document document;
    document.result.set(before);
    const VertexId vertex{MeshId::result, 7};
    document.pointed.setMarked(vertex);
    document.result.set(hull);
    EXPECT_FALSE(document.pointed.marked());
    document.pointed.setMarked(vertex);
    document.look.set({.layout = Layout::wipe, .morphPosition = 0.25F});
    EXPECT_TRUE(document.pointed.marked());
    document.look.set({.layout = Layout::wipe, .morphPosition = 0.75F});
    EXPECT_FALSE(document.pointed.marked());
}

}  // namespace
}  // namespace threefold::ui
