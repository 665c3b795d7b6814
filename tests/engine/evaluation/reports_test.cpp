#include "engine/evaluation/result_files.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <locale>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/evaluation/output_texts.h"
#include "engine/measures/measure_table.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/engine/evaluation/page_data.h"

namespace threefold {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        lines.push_back(text.substr(begin, end - begin));
    }
    return lines;
}

/// The cell under `column` in the line `row` (1: first record) of a table without quotes.
std::string cell(const std::string& csv, std::size_t row, const std::string& column) {
    const std::vector<std::string> lines = linesOf(csv);
    const auto split = [](const std::string& line) {
        std::vector<std::string> cells(1);
        for (const char c : line) {
            if (c == ',') {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
        return cells;
    };
    const std::vector<std::string> names = split(lines.at(0));
    const auto at = std::find(names.begin(), names.end(), column);
    return at == names.end()
               ? "no such column"
               : split(lines.at(row)).at(static_cast<std::size_t>(at - names.begin()));
}

std::string pageOf(const EvaluationRun& run) {
    return reportHtml(run, summarise(run));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

std::vector<ViewSilhouettes> silhouettesWith(double coarse, double refined) {
    return {{0, {{"coarse", {coarse, {}}}, {"refined", {refined, {}}}}}};
}

const std::string kHostileName = "</script><script>alert('1')</script>\"&<!--{{data}}\r\n,\xff\xc3";

TEST(MetricsCsv, beginsWithTheSeedsColumns) {
    const EvaluationRun run = test::fakeRun(3, 2, 0);
    const std::string csv = measuresCsv(run);
    EXPECT_THAT(csv, StartsWith("sample_id,time_ms,CD,F1@τ,F1@2τ,position,category,"));
    const Scores& refined = run.records[1].scores[0].result();
    EXPECT_EQ(cell(csv, 2, "sample_id"), run.records[1].name);
    EXPECT_EQ(std::strtod(cell(csv, 2, "time_ms").c_str(), nullptr), run.records[1].times.network);
    EXPECT_EQ(std::strtod(cell(csv, 2, "CD").c_str(), nullptr), refined.measures.chamfer);
    EXPECT_EQ(std::strtod(cell(csv, 2, "F1@τ").c_str(), nullptr), refined.measures.atTau().f);
    EXPECT_EQ(std::strtod(cell(csv, 2, "F1@2τ").c_str(), nullptr), refined.measures.atTwoTau().f);
}

TEST(MetricsCsv, holdsEveryMeasureOfEveryProtocolToTheLastBit) {
    const EvaluationRun run = test::fakeRun(2, 1, 0);
    const std::string csv = measuresCsv(run);
    for (std::size_t p = 0; p < 2; ++p) {
        const std::string protocol(protocolName(run.description.identity.protocols[p]));
        for (const TruthMeasure& column : truthMeasures()) {
            for (const std::string mesh : {"coarse", "refined"}) {
                const auto value = column.value(*run.records[1].scores[p].find(mesh));
                const std::string written =
                    cell(csv, 2, protocol + "_" + mesh + "_" + std::string(column.key));
                if (value) {
                    EXPECT_EQ(std::strtod(written.c_str(), nullptr), *value) << column.key;
                } else {
                    EXPECT_EQ(written, "") << column.key;
                }
            }
        }
    }
}

TEST(MetricsCsv, leavesTheSeedsColumnsEmpty_withoutThePublishedProtocol) {
    EvaluationRun run = test::fakeRun(1, 1, 0);
    run.description.identity.protocols = {Protocol::surface};
    run.records[0].scores.erase(run.records[0].scores.begin());
    const std::string csv = measuresCsv(run);
    EXPECT_EQ(cell(csv, 1, "CD"), "");
    EXPECT_NE(cell(csv, 1, "surface_refined_chamfer"), "");
    EXPECT_EQ(cell(csv, 1, "published_refined_chamfer"), "no such column");
}

TEST(MetricsCsv, listsFailedSamplesWithTheirReason) {
    EvaluationRun run = test::fakeRun(2, 1, 1);
    run.records[1].error = "cannot be read";
    const std::string csv = measuresCsv(run);
    EXPECT_EQ(cell(csv, 2, "status"), "failed");
    EXPECT_EQ(cell(csv, 2, "error"), "cannot be read");
    EXPECT_EQ(cell(csv, 2, "time_ms"), "");
    EXPECT_EQ(occurrences(linesOf(csv)[2], ","), occurrences(linesOf(csv)[0], ","));
}

TEST(MetricsCsv, marksRegressions) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    run.records[0].scores[0].result().measures.chamfer = 2;
    run.records[0].scores[0].first().measures.chamfer = 1;
    run.records[1].scores[0].result().measures.chamfer = 1;
    run.records[1].scores[0].first().measures.chamfer = 1;
    const std::string csv = measuresCsv(run);
    EXPECT_EQ(cell(csv, 1, "published_regressed"), "1");
    EXPECT_EQ(cell(csv, 2, "published_regressed"), "0");
}

TEST(MetricsCsv, endsWithTheSilhouettes_emptyWithoutAnOutline) {
    EvaluationRun run = test::fakeRun(5, 1, 0);
    test::takeTruthAway(run.records[1]);
    const std::string csv = measuresCsv(run);
    EXPECT_THAT(
        linesOf(csv)[0],
        testing::EndsWith(",silhouette_views,silhouette_regressed,"
                          "silhouette_coarse_overlap,silhouette_coarse_outline_distance,"
                          "silhouette_refined_overlap,silhouette_refined_outline_distance"));
    for (const std::size_t row : {1U, 2U}) {
        const auto& views = run.records[row - 1].silhouettes;
        const auto number = [&](const char* column) {
            return std::strtod(cell(csv, row, column).c_str(), nullptr);
        };
        const auto coarse = meansOf(views, "coarse");
        const auto refined = meansOf(views, "refined");
        EXPECT_EQ(cell(csv, row, "silhouette_views"), "3");
        EXPECT_EQ(number("silhouette_coarse_overlap"), coarse->overlap);
        EXPECT_EQ(number("silhouette_refined_overlap"), refined->overlap);
        EXPECT_EQ(number("silhouette_refined_outline_distance"), refined->outlineDistance);
        EXPECT_EQ(cell(csv, row, "silhouette_regressed"),
                  refined->overlap < coarse->overlap ? "1" : "0");
    }
    EXPECT_EQ(cell(csv, 1, "status"), "done");
    EXPECT_EQ(cell(csv, 2, "status"), "without truth");
    EXPECT_EQ(cell(csv, 2, "CD"), "");
    EXPECT_NE(cell(csv, 2, "time_ms"), "");
    EXPECT_THAT(linesOf(csv)[5], testing::EndsWith(",,,,,,"));
    EXPECT_EQ(occurrences(linesOf(csv)[5], ","), occurrences(linesOf(csv)[0], ","));
}

/// As of two truths with faces among points.
void giveSurfaces(EvaluationRun& run) {
    for (const std::size_t record : {0U, 2U}) {
        const double scale = record == 0 ? 1.0 : 2.0;
        run.records[record].distances.add("coarse", {scale * 0.5, 0.25, 0.75, 4});
        run.records[record].distances.add("refined", {scale * 0.25, 0.125, 0.5, 8});
    }
}

TEST(MetricsCsv, hasDistancesFromSurfaces_onlyWhenATruthHasFaces) {
    EvaluationRun run = test::fakeRun(4, 1, 0);
    const std::string without = measuresCsv(run);
    giveSurfaces(run);
    const std::string csv = measuresCsv(run);
    const std::string columns =
        ",distance_coarse_surface_mean,distance_coarse_surface_median,distance_coarse_surface_p95,"
        "distance_coarse_surface_largest,distance_refined_surface_mean,"
        "distance_refined_surface_median,distance_refined_surface_p95,"
        "distance_refined_surface_largest";
    EXPECT_EQ(linesOf(csv)[0], linesOf(without)[0] + columns);
    EXPECT_EQ(linesOf(csv)[1], linesOf(without)[1] + ",0.5,0.25,0.75,4,0.25,0.125,0.5,8");
    EXPECT_EQ(linesOf(csv)[2], linesOf(without)[2] + ",,,,,,,,");
}

TEST(MetricsCsv, quotesAsRfc4180Requires) {
    EvaluationRun run = test::fakeRun(1, 1, 1);
    run.records[0].name = "a,b\"c\nd";
    EXPECT_THAT(measuresCsv(run), HasSubstr("\n\"a,b\"\"c\nd\",,,,,0,"));
}

TEST(MetricsCsv, writesADecimalPoint_inAnyLocale) {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        std::string do_grouping() const override { return "\3"; }
    };
    const EvaluationRun run = test::fakeRun(5, 2, 3);
    const EvaluationSummary summary = summarise(run);
    const std::vector<std::string> usual{measuresCsv(run), measuresSummary(run, summary),
                                         combinedTimings(run, summary), reportJson(run, summary),
                                         reportHtml(run, summary)};
    const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
    const std::vector<std::string> there{measuresCsv(run), measuresSummary(run, summary),
                                         combinedTimings(run, summary), reportJson(run, summary),
                                         reportHtml(run, summary)};
    std::locale::global(before);
    EXPECT_EQ(usual, there);
}

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
    EXPECT_EQ(all.withoutTruth, 1u);
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
    EXPECT_EQ(summary.categories[1].samples, 4u);
    EXPECT_EQ(summary.categories[1].failed, 1u);
    EXPECT_EQ(summary.categories[1].protocols[0].sampleCount, 3u);
    EXPECT_EQ(summary.all.samples, 12u);
    EXPECT_EQ(summary.all.failed, 1u);
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
    EXPECT_THAT(summary.failures[0].records, ElementsAre(0, 2, 3));
    EXPECT_THAT(summary.failures[1].records, ElementsAre(1));
}

TEST(Summary, leavesOutNonFiniteMeasures) {
    EvaluationRun run = test::fakeRun(3, 1, 0);
    run.records[0].scores[0].result().hausdorff = std::numeric_limits<double>::infinity();
    run.records[1].scores[0].result().measures.atTau().f = std::numeric_limits<double>::quiet_NaN();
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

TEST(FitText, describesTheTimeOfAFit) {
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
    EXPECT_EQ(time.verdict,
              "Bottleneck: metrics, 60.0 % of a sample's time; network, 20.0 %; all else, 20.0 %. "
              "The whole run took 50.0 % more wall time than the times of its network add up to.");
}

TEST(Summary, namesTheStage_whenTheNetworkIsTheBottleneck) {
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
        summary.time.verdict,
        "Bottleneck: network, 100.0 % of a sample's time; all else, 0.0 %. Longest: the local "
        "graph convolutions of hypothesis block 1 (block1), 55.0 % of the network.");
    std::vector<double> shares;
    for (const TimeColumn& column : summary.time.steps) shares.push_back(column.fraction);
    EXPECT_THAT(shares, testing::ElementsAre(0.2, 0.25, 0.55));
    const std::string text = combinedTimings(run, summary);
    EXPECT_THAT(text, testing::ContainsRegex("project2 +25.0 +25.0 "));
    EXPECT_THAT(measuresCsv(run), testing::HasSubstr("cnn1_ms,project1_ms,graph1_ms"));
}

TEST(Summary, knowsThePublishedMeansOfSixCategories) {
    EXPECT_DOUBLE_EQ(publishedMeans("04379243")->chamfer, .402e-3);
    EXPECT_FALSE(publishedMeans("04530566").has_value());
    EXPECT_FALSE(publishedMeans(summarise(test::fakeRun(13, 13, 0)).categories).has_value());
    EXPECT_FALSE(publishedMeans(std::vector<GroupSummary>{}).has_value());
}

TEST(MetricsSummary, listsBothProtocolsSeparately_withUnits) {
    const EvaluationRun run = test::fakeRun(40, 4, 10);
    const std::string text = measuresSummary(run, summarise(run));
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
    // Published means stand beside the published protocol alone.
    const std::size_t label = text.find(kPublishedLabel);
    ASSERT_NE(label, std::string::npos);
    EXPECT_LT(label, surface);
    EXPECT_EQ(text.find(kPublishedLabel, surface), std::string::npos);
}

TEST(MetricsSummary, keepsPublishedMeansOut_whenTauIsAnother) {
    EvaluationRun run = test::fakeRun(4, 1, 0);
    run.description.identity.tau = 2e-4;
    EXPECT_THAT(measuresSummary(run, summarise(run)), Not(HasSubstr(std::string(kPublishedLabel))));
}

TEST(MetricsSummary, listsSilhouettes_byCategoryWithIntervals) {
    EvaluationRun run = test::fakeRun(10, 2, 0);
    for (SampleRecord& record : run.records) record.silhouettes = silhouettesWith(0.625, 0.5);
    test::takeTruthAway(run.records[9]);
    const std::string text = measuresSummary(run, summarise(run));
    EXPECT_THAT(text, HasSubstr("samples    10: 10 done (1 without a truth), 0 failed\n"));
    const std::string part = text.substr(text.find("\nSilhouettes: "));
    EXPECT_THAT(part, HasSubstr("the refined overlap is the smaller one): 10 of 10\n"));
    EXPECT_THAT(part, HasSubstr("Silhouette overlap, intersection over union (more is better)"));
    EXPECT_THAT(part, testing::ContainsRegex("all +10  coarse +0.625 .* 0.625 … 0.625"));
    EXPECT_THAT(part, testing::ContainsRegex("bench 02828884 +5  coarse +0.625"));
    EXPECT_THAT(part, testing::ContainsRegex("Δ +−0.125"));

    for (SampleRecord& record : run.records) record.silhouettes.clear();
    EXPECT_THAT(measuresSummary(run, summarise(run)), HasSubstr("no photograph has a mask"));
}

TEST(Reports, nameTheViewsInUse_byDefault) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    EXPECT_EQ(viewsText(run), "0, 6, 7");
    run.description.identity.views.clear();
    EXPECT_EQ(viewsText(run), "0, 6, 7");
    run.records[1].silhouettes = silhouettesWith(1, 1);
    EXPECT_EQ(viewsText(run), "0, 6, 7, of own photographs three that differ");
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
    const std::string text = combinedTimings(run, summarise(run));
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
    EXPECT_THAT(combinedTimings(run, summary),
                AllOf(HasSubstr("network    500.0 ± – ms"), HasSubstr("interval of the mean –\n")));
    EXPECT_THAT(measuresSummary(run, summary), Not(HasSubstr(" … ")));
}

TEST(ReportJson, givesEveryNumberToTheLastBit) {
    const EvaluationRun run = test::fakeRun(7, 3, 4);
    const EvaluationSummary summary = summarise(run);
    const auto json = nlohmann::json::parse(reportJson(run, summary));
    EXPECT_EQ(json["schema"], "threefold-report");
    EXPECT_EQ(json["schema_version"], kReportSchemaVersion);
    EXPECT_EQ(json["run"]["tau"].get<double>(), run.description.identity.tau);
    ASSERT_EQ(json["samples"].size(), 7u);
    const auto& scores = json["samples"][1]["scores"]["surface"]["refined"];
    for (const TruthMeasure& column : truthMeasures()) {
        const auto value = column.value(run.records[1].scores[1].result());
        if (value) {
            EXPECT_EQ(scores[std::string(column.key)].get<double>(), *value);
        } else {
            EXPECT_TRUE(scores[std::string(column.key)].is_null());
        }
    }
    EXPECT_EQ(json["samples"][3]["error"], run.records[3].error);
    EXPECT_EQ(json["all"]["protocols"]["published"]["measures"]["chamfer"]["difference"]["low"]
                  .get<double>(),
              summary.all.protocols[0].measures[0].result().change->intervalLow);
}

TEST(Reports, giveDistancesFromSurfaces_whenATruthHasFaces) {
    EvaluationRun run = test::fakeRun(4, 1, 0);
    EXPECT_THAT(measuresSummary(run, summarise(run)), Not(HasSubstr("from the truth's surface")));
    giveSurfaces(run);
    const EvaluationSummary summary = summarise(run);
    EXPECT_EQ(summary.all.distances.sampleCount, 2u);
    EXPECT_EQ(summary.all.distances.regressedCount, 0u);
    const StatisticsByMesh& mean = summary.all.distances.measures[0];
    EXPECT_DOUBLE_EQ(mean.first().values->mean, 0.75);
    EXPECT_DOUBLE_EQ(mean.result().values->mean, 0.375);
    EXPECT_DOUBLE_EQ(mean.result().change->mean, -0.375);
    EXPECT_THAT(
        measuresSummary(run, summary),
        AllOf(HasSubstr("from the truth's surface, of 2 truths with faces"),
              HasSubstr("Distance to the surface, mean, object units"), HasSubstr("0.3750")));
    const auto json = nlohmann::json::parse(reportJson(run, summary));
    EXPECT_EQ(json["surface_measures"][3]["key"], "surface_largest");
    EXPECT_EQ(json["samples"][2]["distances"]["refined"]["surface_mean"], 0.5);
    EXPECT_FALSE(json["samples"][1].contains("distances"));
    EXPECT_EQ(json["all"]["distances"]["measures"]["surface_largest"]["coarse"]["mean"], 4);
}

TEST(ReportJson, givesSilhouettesAsReconstructDoes) {
    EvaluationRun run = test::fakeRun(5, 1, 0);
    test::takeTruthAway(run.records[0]);
    const EvaluationSummary summary = summarise(run);
    const auto json = nlohmann::json::parse(reportJson(run, summary));
    const auto& first = json["samples"][0]["silhouettes"];
    ASSERT_EQ(first.size(), 3u);
    EXPECT_EQ(first[1]["view"], 6);
    const SilhouetteScore& refined = *run.records[0].silhouettes[1].meshes.find("refined");
    EXPECT_EQ(first[1]["refined"]["overlap"].get<double>(), refined.overlap);
    EXPECT_EQ(first[1]["refined"]["mean_distance_pixels"].get<double>(),
              refined.outlineDistance->mean);
    EXPECT_EQ(first[1]["refined"]["largest_distance_pixels"].get<double>(),
              refined.outlineDistance->hausdorff);
    EXPECT_FALSE(json["samples"][4]["silhouettes"][0].contains("refined"));
    EXPECT_TRUE(json["samples"][0]["scores"].empty());
    EXPECT_EQ(json["all"]["without_truth"], 1);
    EXPECT_EQ(json["all"]["silhouettes"]["measured"], 4);
    EXPECT_EQ(json["all"]["silhouettes"]["measures"]["overlap"]["difference"]["low"].get<double>(),
              summary.all.silhouettes.measures[0].result().change->intervalLow);
    EXPECT_EQ(json["silhouette_measures"][1]["key"], "outline_distance");
}

TEST(ReportJson, isValidJson_withAnyNames) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    run.records[0].name = kHostileName;
    run.records[0].scores[0].result().measures.chamfer = std::numeric_limits<double>::quiet_NaN();
    const auto json = nlohmann::json::parse(reportJson(run, summarise(run)));
    EXPECT_THAT(json["samples"][0]["name"].get<std::string>(), StartsWith("</script><script>"));
    EXPECT_TRUE(json["samples"][0]["scores"]["published"]["refined"]["chamfer"].is_null());
}

TEST(ReportHtml, refersToNoOtherFile) {
    const EvaluationRun run = test::fakeRun(20, 3, 7);
    const std::string page = pageOf(run);
    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    // The name of SVG's elements.
    EXPECT_EQ(occurrences(page, "http:"), occurrences(page, "http://www.w3.org/2000/svg"));
    EXPECT_THAT(page, HasSubstr("createElementNS('http://www.w3.org/2000/svg'"));
    for (const char* outside : {"https:", " src=\"", "<link", "@import", "url("}) {
        EXPECT_THAT(page, Not(HasSubstr(outside)));
    }
    EXPECT_THAT(page, Not(HasSubstr("{{")));
    EXPECT_THAT(page, Not(HasSubstr("innerHTML")));
}

TEST(ReportHtml, escapesNames) {
    EvaluationRun run = test::fakeRun(4, 2, 0);
    const std::string usual = pageOf(run);
    run.records[0].name = kHostileName;
    run.records[1].error = kHostileName;
    run.records[1].category = kHostileName;
    run.description.list = kHostileName;
    const std::string page = pageOf(run);
    EXPECT_EQ(occurrences(page, "<script"), occurrences(usual, "<script"));
    EXPECT_EQ(occurrences(page, "</script"), occurrences(usual, "</script"));
    EXPECT_THAT(page, Not(HasSubstr("<!--")));
    EXPECT_EQ(page.find('\xff'), std::string::npos);
    const auto data = test::dataOf(page);
    EXPECT_THAT(data["samples"]["name"][0].get<std::string>(),
                StartsWith("</script><script>alert('1')</script>\"&<!--{{data}}\r\n,"));
    EXPECT_EQ(data["samples"]["name"][2], run.records[2].name);
}

TEST(ReportHtml, holdsTheDataOfEverySample) {
    const EvaluationRun run = test::fakeRun(9, 3, 5);
    const auto data = test::dataOf(pageOf(run));
    const auto& samples = data["samples"];
    EXPECT_EQ(samples["name"].size(), 9u);
    EXPECT_TRUE(samples["scores"]["published"]["refined"]["chamfer"][4].is_null());
    EXPECT_EQ(samples["error"]["4"], run.records[4].error);
    for (std::size_t i : {0u, 3u, 8u}) {
        const SampleScores& scores = run.records[i].scores[1];
        EXPECT_NEAR(samples["scores"]["surface"]["coarse"]["f_tau"][i].get<double>(),
                    scores.first().measures.atTau().f, 1e-4);
        EXPECT_EQ(samples["scores"]["surface"]["regressed"][i], scores.regressed() ? 1 : 0);
    }
    EXPECT_NEAR(samples["silhouettes"]["refined"]["overlap"][0].get<double>(),
                meansOf(run.records[0].silhouettes, "refined")->overlap, 1e-6);
    EXPECT_TRUE(samples["silhouettes"]["coarse"]["outline_distance"][4].is_null());
    EXPECT_EQ(data["all"]["published"], nullptr);
    EXPECT_FALSE(data["categories"][0]["published"].is_null());
}

TEST(ReportHtml, isComplete_whenThereAreNoSamplesOrAllFailed) {
    for (const EvaluationRun& run : {test::fakeRun(0), test::fakeRun(5, 2, 1)}) {
        const auto data = test::dataOf(pageOf(run));
        EXPECT_EQ(data["samples"]["name"].size(), run.records.size());
        EXPECT_TRUE(data["timing"]["network"].is_null());
        EXPECT_TRUE(data["lists"].empty());
    }
}

}  // namespace
}  // namespace threefold
