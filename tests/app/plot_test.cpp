#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/bench/plot.h"
#include "tests/app/well_formed.h"

namespace threefold::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(RoundTicks, endAtTheFirstRoundNumberAboveTheMaximum) {
    EXPECT_THAT(roundTicks(8, 5), ElementsAre(0, 2, 4, 6, 8));
    EXPECT_THAT(roundTicks(8.1, 5), ElementsAre(0, 2, 4, 6, 8, 10));
    EXPECT_THAT(roundTicks(822, 5), ElementsAre(0, 200, 400, 600, 800, 1000));
    EXPECT_THAT(roundTicks(0.3, 3),
                ElementsAre(0, testing::DoubleNear(0.1, 1e-12), testing::DoubleNear(0.2, 1e-12),
                            testing::DoubleNear(0.3, 1e-12)));
    EXPECT_THAT(roundTicks(0, 5), ElementsAre(0, 1));
}

TEST(PlotNumber, keepsThreeSignificantDigits) {
    EXPECT_EQ(plotNumber(0.125), "0.125");
    EXPECT_EQ(plotNumber(6.1234), "6.12");
    EXPECT_EQ(plotNumber(99.96), "100");
    EXPECT_EQ(plotNumber(12345.6), "12346");
}

PlotPanel panelOf(PlotPanel::Kind kind) {
    return {kind, "Rate & <more>", "batch", "meshes/s", {"1", "2"}, {{"a", {{0, 3}, {1, 45.5}}}}};
}

TEST(PlotSvg, isWellFormedAndHoldsTheNumbers_whateverTheKind) {
    for (const auto kind :
         {PlotPanel::Kind::lines, PlotPanel::Kind::bars, PlotPanel::Kind::steps}) {
        const std::vector panels(3, panelOf(kind));
        const std::string svg = plotSvg("a < b", "c\x01\"d\"", panels);
        EXPECT_TRUE(isWellFormed(svg)) << svg;
        EXPECT_THAT(svg, AllOf(HasSubstr("a &lt; b"), HasSubstr("Rate &amp; &lt;more&gt;"),
                               HasSubstr(">meshes/s<"), HasSubstr(">2</text>")));
        const bool labelled = kind != PlotPanel::Kind::steps;
        EXPECT_EQ(svg.find(">45.5</text>") != std::string::npos, labelled);
    }
}

TEST(PlotSvg, drawsBarsFromTheAxis_asHighAsTheirValues) {
    // The axis ends at 50, so the bar of 25 has half the plot's height.
    PlotPanel panel = panelOf(PlotPanel::Kind::bars);
    panel.series = {{"a", {{0, 25}, {1, 50}}}};
    const std::string svg = plotSvg("t", "s", {&panel, 1});
    std::vector<double> heights;
    const std::string before = "height=\"";
    for (std::size_t at = svg.find("<rect", svg.find(">meshes/s<")); at != std::string::npos;
         at = svg.find("<rect", at + 1)) {
        heights.push_back(std::stod(svg.substr(svg.find(before, at) + before.size())));
    }
    ASSERT_EQ(heights.size(), 2U);
    EXPECT_NEAR(heights[0] * 2, heights[1], 0.2);
}

TEST(PlotSvg, explainsAnEmptyPanel) {
    PlotPanel panel = panelOf(PlotPanel::Kind::steps);
    panel.series.clear();
    panel.note = "not measured";
    const std::string svg = plotSvg("t", "s", {&panel, 1});
    EXPECT_TRUE(isWellFormed(svg)) << svg;
    EXPECT_THAT(svg, AllOf(HasSubstr(">not measured<"), Not(HasSubstr(">meshes/s<"))));
}

}  // namespace
}  // namespace threefold::test
