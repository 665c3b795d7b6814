#include "engine/sample_rendering/view_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ViewPlan, hasShapeNetsRanges_byDefault) {
    const std::vector<CameraRow> rows = planViews({}, "02691156_p0001");
    ASSERT_EQ(rows.size(), 24U);
    double least = 360;
    double most = 0;
    for (const CameraRow& row : rows) {
        least = std::min(least, row.azimuth);
        most = std::max(most, row.azimuth);
        EXPECT_TRUE(row.azimuth >= 0 && row.azimuth <= 360);
        EXPECT_TRUE(row.elevation >= 25 && row.elevation <= 30);
        EXPECT_TRUE(row.distance >= 0.65 && row.distance <= 0.98);
        EXPECT_EQ(row.inPlaneRotation, 0);
        EXPECT_EQ(row.fieldOfView, 25);
    }
    EXPECT_GT(most - least, 180);
}

TEST(ViewPlan, staysTheSame_forSeedAndId) {
    const auto azimuth = [](std::uint64_t seed, std::string_view id) {
        ViewPlan plan;
        plan.seed = seed;
        return planViews(plan, id).front().azimuth;
    };
    EXPECT_EQ(azimuth(1, "a_b"), azimuth(1, "a_b"));
    EXPECT_NE(azimuth(1, "a_b"), azimuth(2, "a_b"));
    EXPECT_NE(azimuth(1, "a_b"), azimuth(1, "a_c"));
}

TEST(ViewPlan, isRestored_fromItsFile) {
    const std::vector<CameraRow> rows = planViews({}, "item");
    const std::vector<CameraRow> read =
        parseRenderingMetadata(formatRenderingMetadata(rows), "rows");
    ASSERT_EQ(read.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(read[i].azimuth, rows[i].azimuth);
        EXPECT_EQ(read[i].elevation, rows[i].elevation);
        EXPECT_EQ(read[i].distance, rows[i].distance);
    }
}

TEST(ViewPlan, hasAsManyViews_asItsLongestList) {
    ViewPlan plan;
    plan.azimuth = parseCameraParameter("0:345:15", "`azimuth`");
    plan.elevation = parseCameraParameter("10,20", "`elevation`");
    plan.distance = parseCameraParameter("0.8", "`distance`");
    const std::vector<CameraRow> rows = planViews(plan, "");
    ASSERT_EQ(rows.size(), 24U);
    EXPECT_EQ(rows[23].azimuth, 345);
    EXPECT_EQ(rows[22].elevation, 10);
    EXPECT_EQ(rows[23].elevation, 20);
    EXPECT_EQ(rows[23].distance, 0.8);
    plan.count = 3;
    EXPECT_EQ(planViews(plan, "").size(), 3U);
}

TEST(ViewPlan, readsEachNotation) {
    EXPECT_THAT(parseCameraParameter("30", "").values, ElementsAre(30));
    EXPECT_THAT(parseCameraParameter("0,-90.5,1e1", "").values, ElementsAre(0, -90.5, 10));
    EXPECT_THAT(parseCameraParameter("90:0:-30", "").values, ElementsAre(90, 60, 30, 0));
    const CameraParameter range = parseCameraParameter("-5..5.5", "");
    EXPECT_TRUE(range.values.empty());
    EXPECT_EQ(range.min, -5);
    EXPECT_EQ(range.max, 5.5);
}

TEST(ViewPlan, refusesInvalidPlans) {
    for (const char* text : {"", ",", "a", "1,", "1..", "..", "nan", "inf", "0:1", "0:1:0",
                             "0:1:-1", "0:1:1e-9", "1:2:3:4", "1 2"})
        EXPECT_THAT(messageOf<UsageError>([&] { parseCameraParameter(text, "`azimuth`"); }),
                    HasSubstr("`azimuth`"))
            << text;
    const auto refused = [](auto change) {
        ViewPlan plan;
        change(plan);
        return messageOf<UsageError>([&] { planViews(plan, ""); });
    };
    EXPECT_THAT(refused([](ViewPlan& plan) { plan.elevation.values = {91}; }), HasSubstr("91"));
    EXPECT_THAT(refused([](ViewPlan& plan) {
                    plan.distance.values = {0.8, 0.2};
                }),
                HasSubstr("0.2 is not within 0.3"));
    EXPECT_THAT(refused([](ViewPlan& plan) {
                    plan.distance = {{}, 0.9, 0.8};
                }),
                HasSubstr("ends before it begins"));
    EXPECT_THAT(refused([](ViewPlan& plan) { plan.count = 1; }), HasSubstr("1 views"));
    EXPECT_THAT(refused([](ViewPlan& plan) { plan.count = 1001; }), HasSubstr("1001 views"));
}

}  // namespace
}  // namespace threefold::test
