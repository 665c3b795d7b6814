#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/evaluation/report/report_json.h"
#include "engine/evaluation/report/text_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/measures/measure_table.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/engine/evaluation/report_texts.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ReportJson, givesEveryNumberToTheLastBit) {
    const EvaluationRun run = test::fakeRun(7, 3, 4);
    const EvaluationSummary summary = summarise(run);
    const auto json = nlohmann::json::parse(reportJson(run, summary));
    EXPECT_EQ(json["schema"], "threefold-report");
    EXPECT_EQ(json["schema_version"], kReportSchemaVersion);
    EXPECT_EQ(json["run"]["tau"].get<double>(), run.description.identity.measures.tau);
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
    EXPECT_THAT(measuresSummaryText(run, summarise(run)),
                Not(HasSubstr("from the truth's surface")));
    giveSurfaces(run);
    const EvaluationSummary summary = summarise(run);
    EXPECT_EQ(summary.all.distances.sampleCount, 2u);
    EXPECT_EQ(summary.all.distances.regressedCount, 0u);
    const StatisticsByMesh& mean = summary.all.distances.measures[0];
    EXPECT_DOUBLE_EQ(mean.first().values->mean, 0.75);
    EXPECT_DOUBLE_EQ(mean.result().values->mean, 0.375);
    EXPECT_DOUBLE_EQ(mean.result().change->mean, -0.375);
    EXPECT_THAT(
        measuresSummaryText(run, summary),
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

}  // namespace
}  // namespace threefold::test
