#include "ui/profile/profile_view.h"

#include <gtest/gtest.h>

#include "render/profile_panel_layout.h"
#include "tests/support/nest_properly.h"

namespace threefold::ui {
namespace {

Reconstruction run(double block) {
    Reconstruction made;
    made.timings = {
        {RunStep::load, 5}, {RunStep::cnn1, 20}, {RunStep::cnn2, 10}, {RunStep::block1, block}};
    return made;
}

TEST(ProfileHistory, countsRunsAndForgetsTheOldest) {
    ProfileHistory history;
    for (int i = 0; i < 100; ++i) history.addRun(run(i), {}, LaneKind::processor);
    EXPECT_EQ(history.runs().size(), 64U);
    EXPECT_EQ(history.runs().back().number, 100);
    EXPECT_EQ(history.network().last(), 129.0);
    EXPECT_EQ(history.network().size(), 64U);
}

TEST(ProfileHistory, putsRunsAndFramesOnOneTimeLine) {
    ProfileHistory history;
    const auto start = ProfileHistory::Clock::now();
    history.addRun(run(30), start, LaneKind::gpu);
    history.addRun(run(30), start + std::chrono::milliseconds(500), LaneKind::gpu);
    history.addFrame({start + std::chrono::milliseconds(100), 16, 0, 0}, 0);
    const Spans spans = history.spans();
    ASSERT_EQ(spans.size(), 9U);
    EXPECT_EQ(spans[0].begin, 0);
    EXPECT_DOUBLE_EQ(spans[4].begin, 500);
    EXPECT_DOUBLE_EQ(spans[8].begin, 100);
    EXPECT_EQ(spans[8].lane.kind, LaneKind::render);
    EXPECT_TRUE(threefold::test::nestProperly(spans));
}

TEST(ProfileHistory, tracesAFit_afterItsRun) {
    ProfileHistory history;
    history.addFit(3);  // ignored, since there is no run
    EXPECT_TRUE(history.spans().empty());
    history.addRun(run(30), {}, LaneKind::gpu);
    history.addFit(0.25);
    const Spans spans = history.spans();
    ASSERT_EQ(spans.size(), 5U);
    EXPECT_EQ(spans.back().name, "fit");
    EXPECT_EQ(spans.back().duration, 0.25);
    EXPECT_EQ(spans.back().lane.kind, LaneKind::processor);
    EXPECT_EQ(spans.back().number, 1);
    EXPECT_EQ(history.network().last(), 60.0);  // the network's time, without the fit
}

TEST(ProfileHistory, countsThePanelsCost_onlyWhenItWasDrawn) {
    ProfileHistory history;
    history.addFrame({{}, 8, 0, 0}, 3);
    EXPECT_FALSE(history.panel().last());
    history.addFrame({{}, 8, 0.1, 0}, 0.05);
    EXPECT_DOUBLE_EQ(*history.panel().last(), 0.15);
}

TEST(ProfileRuns, showTheNewestFirst_inSeparateLanes) {
    ProfileHistory history;
    for (int i = 0; i < 9; ++i) history.addRun(run(i + 1), {}, LaneKind::gpu);
    const auto runs = flameGraphOf(history, themeColours(Theme::dark));
    ASSERT_EQ(runs->rows.size(), render::kMaxFlameRows);
    EXPECT_EQ(runs->lanes, (std::vector<std::string>{"CPU", "stream 1"}));
    const render::FlameRow& newest = runs->rows.front();
    ASSERT_EQ(newest.size(), 4U);
    EXPECT_EQ(newest[3].duration, 9.0F);
    EXPECT_EQ(newest[0].lane, 0);
    EXPECT_EQ(newest[1].lane, 1);
    EXPECT_EQ(newest[3].tip[0], "block1 · run 9");
    EXPECT_EQ(newest[3].tip[1], "9.00 ms · 23 % of the network");
    EXPECT_NE(newest[1].colour, newest[3].colour);
    EXPECT_EQ(newest[1].colour, newest[2].colour);
}

TEST(ProfileLegend, namesAllBlocksOfTheLastColour_whenAModelHasMoreThanTwoBlocks) {
    ProfileHistory history;
    Reconstruction made = run(1);
    history.addRun(made, {}, LaneKind::processor);
    const auto lastKey = [&] {
        return profileView(history, nullptr, {}, themeColours(Theme::dark)).legend.back().text;
    };
    EXPECT_EQ(lastKey(), "block2");
    made.timings.push_back({blockStep(3), 1});
    history.addRun(made, {}, LaneKind::processor);
    EXPECT_EQ(lastKey(), "block2–4");
}

TEST(ProfileRuns, haveOneLane_onTheProcessor) {
    ProfileHistory history;
    history.addRun(run(1), {}, LaneKind::processor);
    EXPECT_EQ(flameGraphOf(history, themeColours(Theme::dark))->lanes,
              std::vector<std::string>{"CPU"});
}

TEST(ProfileView, showsOnlyKnownFacts) {
    const ProfileHistory history;
    ProfileNumbers numbers;
    const render::ProfilePanelView empty =
        profileView(history, nullptr, numbers, themeColours(Theme::dark));
    EXPECT_EQ(empty.network.values[0], "–");
    EXPECT_TRUE(empty.facts.empty());
    EXPECT_EQ(empty.budgetText, "16.7");
    numbers.refreshRate = 144;
    numbers.hostBytes = 412'000'000;
    numbers.viewCache = CacheUse{5, 6};
    numbers.queuedRequests = 13;  // including the running request
    numbers.supersededRequests = 3;
    const render::ProfilePanelView view =
        profileView(history, nullptr, numbers, themeColours(Theme::light));
    ASSERT_EQ(view.facts.size(), 4U);
    EXPECT_EQ(view.facts[0].value, "412");
    EXPECT_EQ(view.facts[1].value, "5/6");
    EXPECT_EQ(view.facts[2].label, "queue");
    EXPECT_EQ(view.facts[2].value, "12");
    EXPECT_EQ(view.facts[3].value, "3");
    numbers.queuedRequests = 1;
    EXPECT_EQ(profileView(history, nullptr, numbers, themeColours(Theme::light)).facts[2].value,
              "3");
    EXPECT_EQ(view.budgetText, "6.9");
    EXPECT_NE(view.colours.text, empty.colours.text);
}

TEST(ProfileView, showsMemoryUtilisationAndPower_ofTheGpu) {
    ProfileNumbers numbers;
    numbers.networkBytes = 120'000'000;
    numbers.poolUse = PoolStatistics{1200, 3, 2};
    numbers.processorPercent = 42.4;
    numbers.gpuReading = GpuReading{};
    numbers.gpuReading->utilisationPercent = 87;
    numbers.gpuReading->freeBytes = 677'000'000;
    numbers.gpuReading->powerWatts = 412.3;
    const auto facts =
        profileView(ProfileHistory(), nullptr, numbers, themeColours(Theme::dark)).facts;
    std::vector<std::pair<std::string, std::string>> shown;
    for (const render::PanelFact& fact : facts) shown.emplace_back(fact.label, fact.value);
    EXPECT_EQ(shown, (std::vector<std::pair<std::string, std::string>>{{"network MB", "120"},
                                                                       {"pool hits", "1200"},
                                                                       {"pool frees", "3"},
                                                                       {"pool late", "2"},
                                                                       {"CPU %", "42"},
                                                                       {"GPU %", "87"},
                                                                       {"GPU free MB", "677"},
                                                                       {"GPU W", "412"}}));
}

TEST(ProfileView, keepsOnlyTheLastFrames) {
    ProfileHistory history;
    for (int i = 0; i < 300; ++i) history.addFrame({{}, static_cast<double>(i), 0, 0}, 0);
    const render::ProfilePanelView view =
        profileView(history, nullptr, {}, themeColours(Theme::dark));
    ASSERT_EQ(view.frames.size(), render::kMaxGraphFrames);
    EXPECT_EQ(view.frames.back(), 299.0F);
}

}  // namespace
}  // namespace threefold::ui
