#include "ui/document/run_model.h"

#include <gtest/gtest.h>

#include <QObject>

#include "tests/ui/test_sample.h"
#include "ui/document/document.h"

namespace threefold::ui {
namespace {

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

TEST(RunModel, suppliesTheFirstMeshByThePartialResult_whileTheSampleIsTheSame) {
    Document document;
    const ResultRef result = test::resultWithMesh();
    const ResultRef partial = test::resultWithMesh();
    document.result.set(result);
    document.run.beginReconstruction({.sample = result->sample});
    EXPECT_EQ(document.run.shownResult(MeshId::firstPublished), result);
    document.run.updateReconstruction({.sample = result->sample, .partial = partial});
    EXPECT_EQ(document.run.shownResult(MeshId::firstPublished), partial);
    EXPECT_EQ(document.run.shownResult(MeshId::result), result);
    document.run.endReconstruction();
    EXPECT_EQ(document.run.shownResult(MeshId::firstPublished), result);
}

TEST(RunModel, suppliesAllMeshesByThePartialResult_whenTheSampleIsAnother) {
    Document document;
    const ResultRef result = test::resultWithMesh();
    const ResultRef partial = test::resultWithMesh();
    document.result.set(result);
    document.run.beginReconstruction({.sample = test::bundledSample()});
    EXPECT_EQ(document.run.shownResult(MeshId::result), result);
    document.run.updateReconstruction({.sample = test::bundledSample(), .partial = partial});
    EXPECT_EQ(document.run.shownResult(MeshId::firstPublished), partial);
    EXPECT_EQ(document.run.shownResult(MeshId::result), partial);
}

TEST(RunModel, suppliesMeshesByTheResult_whileTheRunHasNoPartialResult) {
    Document document;
    const ResultRef result = test::resultWithMesh();
    document.result.set(result);
    document.run.beginReconstruction({.sample = result->sample});
    for (const MeshId id : kResultMeshes) EXPECT_EQ(document.run.shownResult(id), result);
}

TEST(RunModel, countsTheStepsBefore_andTheFractionOfTheCurrentOne) {
    Document document;
    document.run.beginReconstruction({.stepFractions = {0.25, 0.5, 0.25}});
    EXPECT_EQ(document.run.state().totalFraction(), 0);
    document.run.advance({kAllRunSteps[1], 0.5F});
    EXPECT_EQ(document.run.state().totalFraction(), 0.5);
    document.run.advance({kAllRunSteps[2], 1.0F});
    EXPECT_EQ(document.run.state().totalFraction(), 1);
}

TEST(RunModel, countsAllSteps_whenTheStepIsPastThem) {
    Document document;
    document.run.beginReconstruction({.stepFractions = {0.25, 0.75}});
    document.run.advance({kAllRunSteps[2], 0.5F});
    EXPECT_EQ(document.run.state().totalFraction(), 1);
}

TEST(RunModel, signalsOnce_whenARunFinishes) {
    Document document;
    document.run.beginReconstruction(ReconstructionRun());
    int signalled = 0;
    QObject::connect(&document.run, &RunModel::changed, [&] { ++signalled; });
    document.run.finish(test::resultWithMesh());
    EXPECT_EQ(signalled, 1);
}

TEST(RunModel, isIdle_afterTheEndOfAFit) {
    Document document;
    document.run.advanceFit({FitPhase::hull, 0.5}, {0.5, 0.5});
    EXPECT_EQ(document.run.state().totalFraction(), 0.75);
    int signalled = 0;
    QObject::connect(&document.run, &RunModel::advanced, [&] { ++signalled; });
    document.run.endFit();
    EXPECT_FALSE(document.run.state().isActive());
    EXPECT_EQ(signalled, 1);
}

TEST(RunModel, signalsThatAnotherSampleIsShown_onlyOnce) {
    Document document;
    int signalled = 0;
    QObject::connect(&document.run, &RunModel::changed, [&] { ++signalled; });
    document.run.setShowsAnotherSample(true);
    document.run.setShowsAnotherSample(true);
    EXPECT_EQ(signalled, 1);
}

}  // namespace
}  // namespace threefold::ui
