#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/evaluation/report/measures_csv.h"
#include "engine/evaluation/report/published_means.h"
#include "engine/evaluation/report/text_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/measures/measure_table.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/engine/evaluation/report_texts.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;

TEST(Summary, comparesTheMeshesSampleBySample) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    const auto set = [&](std::size_t record, double coarse, double refined) {
        run.records[record].scores[0].first().measures.chamfer = coarse;
        run.records[record].scores[0].result().measures.chamfer = refined;
    };
    set(0, 4e-4, 1e-4);
    set(1, 2e-4, 3e-4);
    const EvaluationSummary summary = summarise(run);
    const StatisticsByMesh& chamfer = summary.all.protocols[0].measures[0];
    EXPECT_DOUBLE_EQ(chamfer.first().values->mean, 3e-4);
    EXPECT_DOUBLE_EQ(chamfer.result().values->mean, 2e-4);
    EXPECT_DOUBLE_EQ(chamfer.result().change->mean, -1e-4);
    EXPECT_DOUBLE_EQ(chamfer.result().change->intervalLow, -3e-4);
    EXPECT_DOUBLE_EQ(chamfer.result().change->intervalHigh, 1e-4);
    EXPECT_EQ(summary.all.protocols[0].regressedCount, 1u);
}

TEST(Summary, averagesSilhouettes_ofSamplesThatHaveThem) {
    EvaluationRun run = test::fakeRun(4, 1, 0);
    run.records[0].silhouettes = silhouettesWith(0.5, 0.75);
    run.records[1].silhouettes = silhouettesWith(0.75, 0.5);
    run.records[2].silhouettes = silhouettesWith(0.25, 1);
    run.records[3].silhouettes = {{0}};
    test::takeTruthAway(run.records[2]);
    const GroupSummary all = summarise(run).all;
    EXPECT_EQ(all.withoutTruthCount, 1u);
    EXPECT_EQ(all.protocols[0].sampleCount, 3u);
    EXPECT_EQ(all.silhouettes.sampleCount, 3u);
    EXPECT_EQ(all.silhouettes.regressedCount, 1u);
    const StatisticsByMesh& overlap = all.silhouettes.measures[0];
    EXPECT_DOUBLE_EQ(overlap.first().values->mean, 0.5);
    EXPECT_DOUBLE_EQ(overlap.result().values->mean, 0.75);
    EXPECT_DOUBLE_EQ(overlap.result().change->mean, 0.25);
    EXPECT_LT(overlap.result().change->intervalLow, overlap.result().change->intervalHigh);
    EXPECT_FALSE(all.silhouettes.measures[1].result().values.has_value())
        << "no view has an outline";
}

TEST(Summary, groupsByCategory) {
    EvaluationRun run = test::fakeRun(12, 3, 0);
    run.records[5].error = "lost";
    run.records[5].scores.clear();
    run.records[11].category.clear();
    const EvaluationSummary summary = summarise(run);
    std::vector<std::string> names;
    for (const GroupSummary& group : summary.categories) names.push_back(group.name);
    EXPECT_THAT(names, ElementsAre("airplane", "bench", "cabinet", "no category"));
    EXPECT_EQ(summary.categories[1].sampleCount, 4u);
    EXPECT_EQ(summary.categories[1].failedCount, 1u);
    EXPECT_EQ(summary.categories[1].protocols[0].sampleCount, 3u);
    EXPECT_EQ(summary.all.sampleCount, 12u);
    EXPECT_EQ(summary.all.failedCount, 1u);
}

TEST(Summary, groupsFailuresThatDifferInNamesAndNumbersOnly) {
    EvaluationRun run = test::fakeRun(4, 1, 1);
    run.records[0].error = "gt/a_1.dat: byte 12: damaged. Copy it again.";
    run.records[1].error = "no image of view 6. Choose other views.";
    run.records[2].error = "gt/b_2.dat: byte 77: damaged. Copy it again.";
    run.records[3].error = "gt/c_3.dat: byte 9: damaged. Copy it again.";
    const EvaluationSummary summary = summarise(run);
    ASSERT_EQ(summary.failures.size(), 2u);
    EXPECT_EQ(summary.failures[0].reason, run.records[0].error);
    EXPECT_THAT(summary.failures[0].recordIndices, ElementsAre(0, 2, 3));
    EXPECT_THAT(summary.failures[1].recordIndices, ElementsAre(1));
}

TEST(Summary, leavesOutNonFiniteMeasures) {
    EvaluationRun run = test::fakeRun(3, 1, 0);
    run.records[0].scores[0].result().hausdorff = std::numeric_limits<double>::infinity();
    run.records[1].scores[0].result().measures.atTau().fScore =
        std::numeric_limits<double>::quiet_NaN();
    const EvaluationSummary summary = summarise(run);
    for (std::size_t m = 0; m < truthMeasures().size(); ++m) {
        const auto& refined = summary.all.protocols[0].measures[m].result().values;
        if (truthMeasures()[m].key == "hausdorff") {
            EXPECT_EQ(refined->count, 2u);
        }
        if (truthMeasures()[m].key == "f_tau") {
            EXPECT_EQ(refined->count, 2u);
        }
        if (truthMeasures()[m].key == "emd") {
            EXPECT_FALSE(refined.has_value());
        }
    }
}

TEST(FitText, describesAFit) {
    EXPECT_EQ(fitText("chosen+auto"),
              "the photographs of the network, from the network's mesh or their hull");
    EXPECT_EQ(fitText("all+colour+hull+10000vertices"),
              "all photographs and their colours, from their hull, 10000 vertices");
    EXPECT_EQ(fitText("1"), "1 photograph");
    EXPECT_EQ(fitText("of another version"), "of another version");
}

TEST(Summary, namesTheBottleneck) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    for (SampleRecord& record : run.records) {
        record.times = {
            .load = 5, .preprocess = 1, .network = 10, .measure = 30, .write = 4, .steps = {}};
    }
    run.description.seconds = 0.03;
    const TimeSummary time = summarise(run).time;
    EXPECT_DOUBLE_EQ(time.samplesPerSecond, 100);
    EXPECT_EQ(time.bottleneckText,
              "Bottleneck: metrics, 60.0 % of a sample's time; network, 20.0 %; all else, 20.0 %. "
              "The run took 50.0 % longer than its network's times in total.");
}

TEST(Summary, countsAFitByItsSamples_whenOnlySomeAreFitted) {
    EvaluationRun run = test::fakeRun(10, 1, 0);
    for (SampleRecord& record : run.records) {
        record.times = {};
        record.times.network = 200;
    }
    run.records[0].times.fit = 1000;
    run.description.seconds = 0;
    EXPECT_EQ(summarise(run).time.bottleneckText,
              "Bottleneck: network, 66.7 % of a sample's time; all else, 33.3 %.");
}

TEST(Summary, namesTheRunStep_whenTheNetworkIsTheBottleneck) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    for (SampleRecord& record : run.records) {
        record.times = {};
        record.times.network = 100;
        record.times.steps = {{RunStep::cnn1, 20},
                              {RunStep::project2, 25},
                              {RunStep::block1, 55},
                              {RunStep::preprocess, 900}};
    }
    run.description.seconds = 0;
    const EvaluationSummary summary = summarise(run);
    EXPECT_EQ(
        summary.time.bottleneckText,
        "Bottleneck: network, 100.0 % of a sample's time; all else, 0.0 %. Longest: the local "
        "graph convolutions of hypothesis block 1 (block1), 55.0 % of the network.");
    std::vector<double> fractions;
    for (const StepTimeSummary& column : summary.time.runSteps)
        fractions.push_back(column.fraction);
    EXPECT_THAT(fractions, testing::ElementsAre(0.2, 0.25, 0.55));
    const std::string text = combinedTimingsText(run, summary);
    EXPECT_THAT(text, testing::ContainsRegex("project2 +25.0 +25.0 "));
    EXPECT_THAT(measuresCsv(run), testing::HasSubstr("cnn1_ms,project1_ms,graph1_ms"));
}

TEST(Summary, knowsThePublishedMeansOfSixCategories) {
    EXPECT_DOUBLE_EQ(publishedMeans("04379243")->chamfer, .402e-3);
    EXPECT_FALSE(publishedMeans("04530566").has_value());
    EXPECT_FALSE(publishedMeans(summarise(test::fakeRun(13, 13, 0)).categories).has_value());
    EXPECT_FALSE(publishedMeans(std::vector<GroupSummary>{}).has_value());
}

}  // namespace
}  // namespace threefold::test
