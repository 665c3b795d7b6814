#include "engine/profile/trace_format.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/model/run_step_spans.h"

namespace threefold {
namespace {

using nlohmann::json;

Spans twoRuns() {
    const StepTimings timings{
        {RunStep::load, 4.5}, {RunStep::cnn1, 77.25}, {RunStep::block1, 318.125}};
    Spans spans = runStepSpans(timings, 395.375, LaneKind::gpu, 0, 1);
    const Spans second = runStepSpans(timings, 395.375, LaneKind::gpu, 1000, 2);
    spans.insert(spans.end(), second.begin(), second.end());
    spans.push_back({"frame", {LaneKind::render, 0}, 1400, 16, 1});
    return spans;
}

TEST(ChromeTrace, holdsEverySpanInMicroseconds_onNamedThreads) {
    const Spans spans = twoRuns();
    const json trace = json::parse(formatChromeTrace(spans));
    EXPECT_EQ(trace.at("displayTimeUnit"), "ms");
    std::map<int, std::string> threads;
    std::vector<json> complete;
    for (const json& event : trace.at("traceEvents")) {
        EXPECT_EQ(event.at("pid"), 1);
        if (event.at("ph") == "X") {
            complete.push_back(event);
        } else {
            ASSERT_EQ(event.at("ph"), "M");
            if (event.at("name") == "process_name") {
                EXPECT_EQ(event.at("args").at("name"), "Threefold");
            }
            if (event.at("name") == "thread_name") {
                threads[event.at("tid").get<int>()] = event.at("args").at("name");
            }
        }
    }
    ASSERT_EQ(complete.size(), spans.size());
    EXPECT_EQ(threads.size(), 3U);
    for (std::size_t i = 0; i < spans.size(); ++i) {
        EXPECT_EQ(complete[i].at("name"), spans[i].name);
        EXPECT_DOUBLE_EQ(complete[i].at("ts").get<double>(), 1000 * spans[i].begin);
        EXPECT_DOUBLE_EQ(complete[i].at("dur").get<double>(), 1000 * spans[i].duration);
        EXPECT_EQ(complete[i].at("args").at("run"), spans[i].number);
        EXPECT_EQ(threads.at(complete[i].at("tid").get<int>()), laneName(spans[i].lane));
    }
}

TEST(ChromeTrace, hasAThreadForEachOfManyWorkers) {
    Spans spans;
    constexpr int kWorkers = 300;
    for (const LaneKind kind : {LaneKind::finisher, LaneKind::store})
        for (int i = 0; i < kWorkers; ++i) spans.push_back({"work", {kind, i}, 0, 1, 1});
    const json trace = json::parse(formatChromeTrace(spans));
    std::set<int> threads;
    for (const json& event : trace.at("traceEvents"))
        if (event.at("ph") == "X") threads.insert(event.at("tid").get<int>());
    EXPECT_EQ(threads.size(), 2U * kWorkers);
}

TEST(ChromeTrace, isValid_withoutSpans_andWithAnyName) {
    EXPECT_TRUE(formatChromeTrace({}).starts_with(kChromeTraceStart));
    EXPECT_EQ(json::parse(formatChromeTrace({})).at("traceEvents").size(), 1U);
    const Spans odd{{"a \"quoted\"\n\\ name \xff", {}, 0, 1, 0}};
    EXPECT_TRUE(json::accept(formatChromeTrace(odd)));
    EXPECT_TRUE(json::accept(formatProfileJson(odd)));
}

TEST(ProfileJson, sumsUpEachName) {
    const json report = json::parse(formatProfileJson(twoRuns()));
    ASSERT_EQ(report.at("names").size(), 4U);
    const json& block = report.at("names").at(2);
    EXPECT_EQ(block.at("name"), "block1");
    EXPECT_EQ(block.at("count"), 2);
    EXPECT_EQ(block.at("medianMs"), 318.125);
    EXPECT_EQ(block.at("p95Ms"), 318.125);
    EXPECT_EQ(block.at("sumMs"), 636.25);
    EXPECT_EQ(report.at("spans").size(), 7U);
    EXPECT_EQ(report.at("spans").at(3).at("beginMs"), 1000.0);
    EXPECT_EQ(report.at("spans").at(3).at("lane"), "CPU");
}

TEST(Trace, isOneJsonDocument) {
    for (const std::string& text : {formatChromeTrace(twoRuns()), formatProfileJson(twoRuns())})
        EXPECT_TRUE(json::accept(text)) << text;
}

}  // namespace
}  // namespace threefold
