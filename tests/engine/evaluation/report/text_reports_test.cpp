#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/evaluation/report/published_means.h"
#include "engine/evaluation/report/report_json.h"
#include "engine/evaluation/report/text_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/run_display.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/engine/evaluation/report_texts.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MeasuresSummary, listsBothProtocolsSeparately_withUnits) {
    const EvaluationRun run = test::fakeRun(40, 4, 10);
    const std::string text = measuresSummaryText(run, summarise(run));
    const std::size_t published = text.find("\nPublished protocol: the mesh's vertices");
    const std::size_t surface = text.find("\nSurface protocol: 10 000 points");
    ASSERT_LT(published, surface);
    ASSERT_NE(surface, std::string::npos);
    for (const std::size_t part : {published, surface}) {
        EXPECT_NE(
            text.find("Chamfer distance, squared, × 10⁻⁴ object units² (less is better)", part),
            std::string::npos);
        EXPECT_NE(text.find("F(τ), % (more is better)", part), std::string::npos);
    }
    EXPECT_THAT(text, HasSubstr("samples    40: 36 done, 4 failed\n"));
    EXPECT_THAT(text, HasSubstr("Failed: 4 of 40\n"));
    // Only the part of the published protocol has published means beside the run's own means.
    const std::size_t label = text.find(kPublishedLabel);
    ASSERT_NE(label, std::string::npos);
    EXPECT_LT(label, surface);
    EXPECT_EQ(text.find(kPublishedLabel, surface), std::string::npos);
}

TEST(MeasuresSummary, keepsPublishedMeansOut_whenTauIsAnother) {
    EvaluationRun run = test::fakeRun(4, 1, 0);
    run.description.identity.measures.tau = 2e-4;
    EXPECT_THAT(measuresSummaryText(run, summarise(run)),
                Not(HasSubstr(std::string(kPublishedLabel))));
}

TEST(MeasuresSummary, writesControlCharactersOfNamesAsText) {
    EvaluationRun run = test::fakeRun(4, 1, 0);
    run.description.list =
        "a\xC2\x9B"
        "2J\x7F\n.txt";
    EXPECT_THAT(measuresSummaryText(run, summarise(run)),
                HasSubstr("evaluation of a\\xc2\\x9b2J\\x7f\\n.txt\n"));
}

TEST(MeasuresSummary, listsSilhouettes_byCategoryWithIntervals) {
    EvaluationRun run = test::fakeRun(10, 2, 0);
    for (SampleRecord& record : run.records) record.silhouettes = silhouettesWith(0.625, 0.5);
    test::takeTruthAway(run.records[9]);
    const std::string text = measuresSummaryText(run, summarise(run));
    EXPECT_THAT(text, HasSubstr("samples    10: 10 done (1 without a truth), 0 failed\n"));
    const std::string part = text.substr(text.find("\nSilhouettes: "));
    EXPECT_THAT(part, HasSubstr("the refined overlap is the smaller one): 10 of 10\n"));
    EXPECT_THAT(part, HasSubstr("Silhouette overlap, intersection over union (more is better)"));
    EXPECT_THAT(part, testing::ContainsRegex("all +10  coarse +0.625 .* 0.625 … 0.625"));
    EXPECT_THAT(part, testing::ContainsRegex("bench 02828884 +5  coarse +0.625"));
    EXPECT_THAT(part, testing::ContainsRegex("Δ +−0.125"));

    for (SampleRecord& record : run.records) record.silhouettes.clear();
    EXPECT_THAT(measuresSummaryText(run, summarise(run)), HasSubstr("no photograph has a mask"));
}

TEST(Reports, nameTheViewsInUse_byDefault) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    EXPECT_EQ(viewsText(run), "0, 6, 7");
    run.description.identity.measures.views.clear();
    EXPECT_EQ(viewsText(run), "0, 6, 7");
    run.records[1].silhouettes = silhouettesWith(1, 1);
    EXPECT_EQ(viewsText(run), "0, 6, 7; for your own photographs, three views that differ");
    const auto views = [&] {
        return nlohmann::json::parse(reportJson(run, summarise(run)))["run"]["views"];
    };
    EXPECT_TRUE(views().is_null());
    run.records[0].silhouettes = run.records[1].silhouettes;
    EXPECT_EQ(views(), std::vector<int>{run.records[0].silhouettes.at(0).view});
    EXPECT_EQ(viewsText(run), fmt::format("{}", run.records[0].silhouettes.at(0).view));
}

TEST(CombinedTimings, givesTheNetworksTimeFirst) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    run.records[0].times.network = 500;
    run.records[1].times.network = 600;
    const std::string text = combinedTimingsText(run, summarise(run));
    EXPECT_THAT(text, HasSubstr("network    550.0 ± 70.7 ms a sample (mean ± deviation of 2)"));
    EXPECT_THAT(text, HasSubstr("median 550.0, min 500.0, max 600.0, p95 600.0 ms"));
    EXPECT_THAT(text, HasSubstr("1.82 samples/s"));
    EXPECT_THAT(text, HasSubstr("excludes 15 warm-up runs"));
    for (const char* part : {"load", "preprocess", "metrics", "write", "block1"}) {
        EXPECT_THAT(text, HasSubstr("\n  " + std::string(part)));
    }
    EXPECT_THAT(text, HasSubstr("AMD EPYC 9R14"));
    EXPECT_THAT(text, HasSubstr(run.description.identity.modelHash));
}

TEST(CombinedTimings, hasNoSpread_forOneSample) {
    EvaluationRun run = test::fakeRun(1, 1, 0);
    run.records[0].times.network = 500;
    const EvaluationSummary summary = summarise(run);
    EXPECT_THAT(combinedTimingsText(run, summary),
                AllOf(HasSubstr("network    500.0 ± – ms"), HasSubstr("interval of the mean –\n")));
    EXPECT_THAT(measuresSummaryText(run, summary), Not(HasSubstr(" … ")));
}

}  // namespace
}  // namespace threefold::test
