#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/evaluation/report/report_html.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/engine/evaluation/page_data.h"
#include "tests/engine/evaluation/report_texts.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string pageOf(const EvaluationRun& run) {
    return reportHtml(run, summarise(run));
}

TEST(ReportHtml, refersToNoOtherFile) {
    const EvaluationRun run = test::fakeRun(20, 3, 7);
    const std::string page = pageOf(run);
    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    // The only URL is the namespace of SVG.
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
                    scores.first().measures.atTau().fScore, 1e-4);
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
}  // namespace threefold::test
