#include "ui/document/fit_model.h"

#include <gtest/gtest.h>

#include <QObject>

#include "tests/ui/test_sample.h"
#include "ui/document/document.h"

namespace threefold::ui {
namespace {

TEST(FitModel, showsTheRefinedMeshAsTheStartOfTheFit_onlyWhileTheFitIsPending) {
    const auto result = test::resultWithMesh();
    Document document;
    document.result.set(result);
    EXPECT_EQ(document.fit.convergingMesh(), nullptr);
    document.fit.setChoice({.on = true});
    EXPECT_EQ(document.fit.convergingMesh(), result->mesh(MeshId::result));
    const auto next = std::make_shared<Result>(*result);
    document.result.set(next);
    EXPECT_EQ(document.fit.convergingMesh(), result->mesh(MeshId::result));
    const auto fitted = std::make_shared<Result>(*result);
    fitted->state = Result::Fitted{};
    document.result.set(fitted);
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

TEST(FitModel, isNotPendingForADeclinedFit_untilTheChoiceChanges) {
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
    document.fit.advance(FitProgress{FitPhase::mesh, 0.5});
    EXPECT_TRUE(document.run.state().fit());
    EXPECT_EQ(document.run.state().totalFraction(), 0.5);
    document.run.beginReconstruction(ReconstructionRun{.stepFractions = {0.25, 0.25, 0.5}});
    document.fit.advance(FitProgress{FitPhase::mesh, 0.75});
    EXPECT_TRUE(document.run.state().isReconstructing());
    document.run.advance({kAllRunSteps[1], 0.5F});
    EXPECT_DOUBLE_EQ(document.run.state().totalFraction(), 0.375);
    document.fit.end();
    EXPECT_TRUE(document.run.state().isActive());
    document.run.finish(nullptr);
    EXPECT_FALSE(document.run.state().isActive());
    document.fit.advance(FitProgress{FitPhase::mesh, 0.75});
    document.fit.end();
    EXPECT_FALSE(document.run.state().isActive());
}

TEST(FitModel, countsAllPhasesOfAFit_whenDepthMayFollow) {
    Document document;
    const auto result = std::make_shared<Result>();
    document.result.set(result);
    document.fit.advance(FitProgress{FitPhase::mesh, 0.5});
    // A fit of the network's mesh has only this phase.
    EXPECT_EQ(document.run.state().totalFraction(), 0.5);
    document.fit.setChoice({.on = true, .source = FitSource::depth});
    double before = 0;
    for (const FitPhase phase : {FitPhase::mesh, FitPhase::hull, FitPhase::depth}) {
        for (const double fraction : {0.25, 0.75}) {
            document.fit.advance(FitProgress{phase, fraction});
            EXPECT_EQ(document.run.state().fit()->progress, (FitProgress{phase, fraction}));
            EXPECT_GT(document.run.state().totalFraction(), before);
            before = document.run.state().totalFraction();
        }
    }
    document.fit.advance(FitProgress{FitPhase::depth, 1});
    EXPECT_DOUBLE_EQ(document.run.state().totalFraction(), 1);
    // An unexpected phase after the last expected one keeps the progress at 1.
    document.fit.setChoice({.on = true, .source = FitSource::network});
    document.fit.advance(FitProgress{FitPhase::depth, 0.5});
    EXPECT_EQ(document.run.state().totalFraction(), 1);
}

TEST(FitModel, keepsTheNewestDepthMapOfEachView_duringAFit) {
    Document document;
    document.result.set(std::make_shared<Result>());
    int signals = 0;
    QObject::connect(&document.fit, &FitModel::intermediateDepthsChanged, [&] { ++signals; });
    document.fit.advance(FitProgress{FitPhase::hull, 0});
    document.fit.addIntermediateDepths({{3, 1, {0.5F}}, {1, 1, {0.6F}}});
    document.fit.advance(FitProgress{FitPhase::depth, 0.5});
    document.fit.addIntermediateDepths({{3, 1, {0.7F}}});
    ASSERT_EQ(document.fit.intermediateDepths().size(), 2U);
    EXPECT_EQ(document.fit.intermediateDepths()[0].depth, std::vector{0.7F});
    EXPECT_EQ(signals, 2);
    document.fit.end();
    EXPECT_TRUE(document.fit.intermediateDepths().empty());
    EXPECT_EQ(signals, 3);
    document.fit.addIntermediateDepths({{3, 1, {0.5F}}});
    document.result.set(std::make_shared<Result>());
    EXPECT_TRUE(document.fit.intermediateDepths().empty());
}

}  // namespace
}  // namespace threefold::ui
