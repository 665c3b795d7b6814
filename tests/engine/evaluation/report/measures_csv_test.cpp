#include <algorithm>
#include <cstdlib>
#include <locale>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/evaluation/report/measures_csv.h"
#include "engine/evaluation/report/report_html.h"
#include "engine/evaluation/report/report_json.h"
#include "engine/evaluation/report/text_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/measures/measure_table.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/engine/evaluation/report_texts.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        lines.push_back(text.substr(begin, end - begin));
    }
    return lines;
}

/// Cell in column `column` and line `row` (1: first record) of a table that has no quoted cells.
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

TEST(MeasuresCsv, beginsWithThePublishedColumns) {
    const EvaluationRun run = test::fakeRun(3, 2, 0);
    const std::string csv = measuresCsv(run);
    EXPECT_THAT(csv, StartsWith("sample_id,time_ms,CD,F1@τ,F1@2τ,position,category,"));
    const Scores& refined = run.records[1].scores[0].result();
    EXPECT_EQ(cell(csv, 2, "sample_id"), run.records[1].name);
    EXPECT_EQ(std::strtod(cell(csv, 2, "time_ms").c_str(), nullptr), run.records[1].times.network);
    EXPECT_EQ(std::strtod(cell(csv, 2, "CD").c_str(), nullptr), refined.measures.chamfer);
    EXPECT_EQ(std::strtod(cell(csv, 2, "F1@τ").c_str(), nullptr), refined.measures.atTau().fScore);
    EXPECT_EQ(std::strtod(cell(csv, 2, "F1@2τ").c_str(), nullptr),
              refined.measures.atTwoTau().fScore);
}

TEST(MeasuresCsv, holdsEveryMeasureOfEveryProtocolToTheLastBit) {
    const EvaluationRun run = test::fakeRun(2, 1, 0);
    const std::string csv = measuresCsv(run);
    for (std::size_t p = 0; p < 2; ++p) {
        const std::string protocol(protocolName(run.description.identity.measures.protocols[p]));
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

TEST(MeasuresCsv, leavesThePublishedColumnsEmpty_withoutThePublishedProtocol) {
    EvaluationRun run = test::fakeRun(1, 1, 0);
    run.description.identity.measures.protocols = {Protocol::surface};
    run.records[0].scores.erase(run.records[0].scores.begin());
    const std::string csv = measuresCsv(run);
    EXPECT_EQ(cell(csv, 1, "CD"), "");
    EXPECT_NE(cell(csv, 1, "surface_refined_chamfer"), "");
    EXPECT_EQ(cell(csv, 1, "published_refined_chamfer"), "no such column");
}

TEST(MeasuresCsv, listsFailedSamplesWithTheirReason) {
    EvaluationRun run = test::fakeRun(2, 1, 1);
    run.records[1].error = "cannot be read";
    const std::string csv = measuresCsv(run);
    EXPECT_EQ(cell(csv, 2, "status"), "failed");
    EXPECT_EQ(cell(csv, 2, "error"), "cannot be read");
    EXPECT_EQ(cell(csv, 2, "time_ms"), "");
    EXPECT_EQ(occurrences(linesOf(csv)[2], ","), occurrences(linesOf(csv)[0], ","));
}

TEST(MeasuresCsv, marksRegressions) {
    EvaluationRun run = test::fakeRun(2, 1, 0);
    run.records[0].scores[0].result().measures.chamfer = 2;
    run.records[0].scores[0].first().measures.chamfer = 1;
    run.records[1].scores[0].result().measures.chamfer = 1;
    run.records[1].scores[0].first().measures.chamfer = 1;
    const std::string csv = measuresCsv(run);
    EXPECT_EQ(cell(csv, 1, "published_regressed"), "1");
    EXPECT_EQ(cell(csv, 2, "published_regressed"), "0");
}

TEST(MeasuresCsv, endsWithTheSilhouettes_emptyWithoutAnOutline) {
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

TEST(MeasuresCsv, hasDistancesFromSurfaces_onlyWhenATruthHasFaces) {
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

TEST(MeasuresCsv, quotesAsRfc4180Requires) {
    EvaluationRun run = test::fakeRun(1, 1, 1);
    run.records[0].name = "a,b\"c\nd";
    EXPECT_THAT(measuresCsv(run), HasSubstr("\n\"a,b\"\"c\nd\",,,,,0,"));
}

TEST(MeasuresCsv, writesADecimalPoint_inAnyLocale) {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        std::string do_grouping() const override { return "\3"; }
    };
    const EvaluationRun run = test::fakeRun(5, 2, 3);
    const EvaluationSummary summary = summarise(run);
    const std::vector<std::string> inDefaultLocale{
        measuresCsv(run), measuresSummaryText(run, summary), combinedTimingsText(run, summary),
        reportJson(run, summary), reportHtml(run, summary)};
    const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
    const std::vector<std::string> inCommaLocale{
        measuresCsv(run), measuresSummaryText(run, summary), combinedTimingsText(run, summary),
        reportJson(run, summary), reportHtml(run, summary)};
    std::locale::global(before);
    EXPECT_EQ(inDefaultLocale, inCommaLocale);
}

}  // namespace
}  // namespace threefold::test
