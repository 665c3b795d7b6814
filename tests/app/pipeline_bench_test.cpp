#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/bench/list_run.h"
#include "app/bench/pipeline_runs.h"
#include "app/bench/pipeline_verdict.h"
#include "app/bench/plot.h"
#include "engine/sample/bundled_samples.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/app/well_formed.h"
#include "tests/support/file_text.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Run of 100 samples in `wall` ms on two cores; its bottleneck is reading by two loaders.
PipelineRun runOf(std::string name, double wall, bool isSingleStep = false) {
    PipelineRun run{std::move(name), isSingleStep, {}, 210, 215, 1.2 * wall, 2};
    run.report.wallMilliseconds = wall;
    run.report.samples = 100;
    run.report.of(PipelineStep::load) = {100, 1.9 * wall, 0.1 * wall};
    run.report.of(PipelineStep::network) = {100, 0.25 * wall, 0};
    run.report.of(PipelineStep::measure) = {100, 0.5 * wall, 0.5 * wall};
    run.report.of(WorkerGroup::loaders) = {2, 2 * wall, 0, 0.05 * wall};
    run.report.of(WorkerGroup::network) = {1, wall, 0.75 * wall, 0};
    run.report.of(WorkerGroup::finishers) = {1, wall, 0.5 * wall, 0};
    run.report.of(WorkerGroup::store) = {1, wall, 0, 0};
    run.report.loadedCapacity = 32;
    run.report.depths = {{0, 0, 0}, {wall / 2, 4, 2}, {wall, 8, 1}};
    run.report.batches = {{wall / 2, 64, wall / 2}, {wall, 36, wall / 2}};
    for (int i = 1; i <= 100; ++i) run.report.latencies.push_back(i);
    return run;
}

const std::vector<PipelineRun> kRuns = {runOf("simple", 4000), runOf("overlapped", 2000),
                                        runOf("full", 1980), runOf("load alone", 1900, true),
                                        runOf("network alone", 100, true)};

TEST(PipelineVerdicts, compareEachModeWithTheBestSimplerOne) {
    const std::vector<ModeVerdict> verdicts = verdictsOf(kRuns);
    ASSERT_EQ(verdicts.size(), 3U);
    EXPECT_EQ(verdicts[0].baseline, "");
    EXPECT_EQ(verdicts[1].baseline, "simple");
    EXPECT_NEAR(verdicts[1].gain, 1, 1e-9);
    EXPECT_TRUE(verdicts[1].isWorthIt);
    EXPECT_EQ(verdicts[2].baseline, "overlapped");
    EXPECT_NEAR(verdicts[2].gain, 2000.0 / 1980 - 1, 1e-9);
    EXPECT_FALSE(verdicts[2].isWorthIt) << "a gain of 1 % is below kMinGain";
    EXPECT_EQ(recommendedMode(verdicts), "overlapped");
    EXPECT_THAT(pipelineRemarks(kRuns), HasSubstr("best here: overlapped\n"));
}

TEST(PipelineVerdicts, skipModes_whenTheyAreNoFaster) {
    const std::vector<PipelineRun> runs = {runOf("simple", 1000), runOf("overlapped", 3500),
                                           runOf("full", 900)};
    const std::vector<ModeVerdict> verdicts = verdictsOf(runs);
    EXPECT_FALSE(verdicts.at(1).isWorthIt);
    EXPECT_EQ(verdicts.at(2).baseline, "simple");
    EXPECT_EQ(recommendedMode(verdicts), "full");
    EXPECT_THAT(pipelineRemarks(runs),
                AllOf(HasSubstr("overlapped is not worth it here: 71.4 % slower than simple"),
                      HasSubstr("full is worth it: 11.1 % faster than simple"),
                      HasSubstr("best here: full")));
}

TEST(ThroughputBound, isTheRateOfTheSlowestStep) {
    const auto bound = throughputBound(kRuns);
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->step, "load");
    EXPECT_EQ(bound->mode, "full");
    EXPECT_NEAR(bound->reached, 1900.0 / 1980, 1e-9);
    EXPECT_FALSE(throughputBound(std::span(kRuns).first(3)));
    EXPECT_FALSE(throughputBound(std::span(kRuns).last(2)));
}

TEST(ThroughputBound, isTheRateOfTheCores_whenAllStepsNeedThem) {
    // 39 ms of processor time per sample.
    std::vector<PipelineRun> runs = kRuns;
    for (PipelineRun& run : runs) run.processorMilliseconds = 3900;
    const auto bound = throughputBound(runs);
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->step, "cores");
    EXPECT_NEAR(bound->samplesPerSecond, 100 * 2000.0 / 3900, 1e-9);
    EXPECT_NEAR(bound->reached, 3900.0 / 2 / 1980, 1e-9);
    EXPECT_THAT(pipelineRemarks(runs),
                HasSubstr("full reaches 98.5 % of the throughput that these cores"));
}

TEST(PipelineRow, holdsTheNumbersOfTheReport) {
    const json row = pipelineRow(kRuns[1], kRuns[0]).json;
    EXPECT_EQ(row.at("run"), "overlapped");
    EXPECT_EQ(row.at("samplesPerSecond"), 50.0);
    EXPECT_EQ(row.at("latencyMs"), (json{{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}}));
    EXPECT_EQ(row.at("batches"), (json{{"count", 2}, {"mean", 50.0}, {"largest", 64}}));
    EXPECT_EQ(row.at("parts").at("load"),
              (json{{"samples", 100}, {"busyMs", 3800.0}, {"onCoreMs", 200.0}}));
    EXPECT_EQ(row.at("workers").at("loaders").at("threads"), 2);
    EXPECT_NEAR(row.at("workers").at("loaders").at("occupancy"), 0.95, 1e-9);
    EXPECT_EQ(row.at("workers").at("network").at("waitedForWorkMs"), 1500.0);
    EXPECT_EQ(row.at("queues").at("loaded"), (json{{"mean", 4.0}, {"most", 8}, {"room", 32}}));
    EXPECT_EQ(row.at("queues").at("depths").at(1), (json{1000.0, 4, 2}));
    EXPECT_EQ(row.at("bottleneck").at("part"), "load");
    EXPECT_TRUE(row.at("bottleneck").at("waits"));
    EXPECT_EQ(row.at("processor"), (json{{"cores", 2}, {"busyMs", 2400.0}, {"occupancy", 0.6}}));
    EXPECT_EQ(row.at("memoryMb"), (json{{"settled", 210.0}, {"most", 215.0}}));
}

TEST(PipelinePlot, holdsTheNumbers_andNamesThePartsThatWait) {
    const ThroughputResult sweep{
        {{1, 3, 10, 95.5, ""}, {8, 3, 20, 402, ""}, {64, 0, 0, 0, "memory"}}};
    const std::string svg = pipelinePlot("simulated device", "100 samples", kRuns, sweep);
    EXPECT_TRUE(isWellFormed(svg)) << svg;
    for (const char* text : {"simulated device", "100 samples", "95.5", "402", "overlapped", "p99",
                             "finishers", "95", "Queues over time, full", "for the network"})
        EXPECT_THAT(svg, HasSubstr('>' + std::string(text) + '<'));
    EXPECT_THAT(svg, AllOf(Not(HasSubstr(">64<")), Not(HasSubstr("alone, "))));
}

TEST(PipelinePlot, namesTheMissingRuns_whenNothingRan) {
    const std::string svg = pipelinePlot("t", "s", {}, {});
    EXPECT_TRUE(isWellFormed(svg)) << svg;
    EXPECT_THAT(svg, AllOf(HasSubstr("not measured"), HasSubstr("no queues")));
}

TEST(BenchPipeline, replacesAFile_onlyWhenABenchmarkWroteIt) {
    const TempFolder folder;
    const std::string precious = (folder / "list.txt").string();
    for (const char* option : {"--trace", "--plot"}) {
        std::ofstream(precious) << "precious";
        const ProcessResult result = runThreefold(
            {"bench", "pipeline", "--samples", "1", "--simulate-device", "1", option, precious});
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors,
                    HasSubstr(option + (": " + precious) + ": exists, and is not a"));
        EXPECT_EQ(fileText(precious), "precious");
    }
    EXPECT_TRUE(pipelinePlot("t", "s", {}, {}).starts_with(kPlotStart));
}

TEST(BenchPipeline, comparesModes_whenTheDeviceIsSimulated) {
    const TempFolder folder;
    // Ten samples are more than the bundled ones, so some are repeated.
    ASSERT_LT(bundledSamples().size(), 10U);
    const ProcessResult result = runThreefold(
        {"bench", "pipeline", "--samples", "10", "--simulate-device", "2", "--read-limit", "400",
         "--alone", "--batches", "1,2", "-o", folder.path().string(), "--trace",
         (folder / "trace.json").string(), "--plot", (folder / "plot.svg").string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("simulated"), true);
    EXPECT_EQ(document.at("simulatedMsAMesh"), 2.0);
    EXPECT_THAT(document.at("backend"), HasSubstr("simulated"));
    EXPECT_EQ(document.at("readLimitMbPerSecond"), 400.0);
    std::vector<std::string> names;
    for (const json& run : document.at("runs")) {
        names.push_back(run.at("run"));
        EXPECT_EQ(run.at("samples"), 10);
        EXPECT_EQ(run.at("failed"), 0);
        EXPECT_EQ(run.at("parts").at("network").at("samples"), 10);
        EXPECT_EQ(run.at("parts").at("store").at("samples"), 10);
        EXPECT_GE(run.at("latencyMs").at("p99"), run.at("latencyMs").at("p50"));
        EXPECT_GT(run.at("memoryMb").at("most"), 0);
        const bool measures = run.at("run") != "load alone" && run.at("run") != "network alone";
        EXPECT_EQ(run.at("parts").at("measure").at("samples"), measures ? 10 : 0);
        EXPECT_EQ(run.at("parts").at("write").at("samples"), measures ? 10 : 0);
        // The simulated device needs 2 ms a mesh in batches of any size, so ten meshes need 20 ms.
        EXPECT_GE(run.at("wallMs").get<double>(),
                  run.at("run").get<std::string>().ends_with("alone") ? 0 : 20);
    }
    EXPECT_THAT(names, ElementsAre("simple", "overlapped", "full", "load alone", "network alone",
                                   "finish alone"));
    EXPECT_EQ(document.at("verdicts").size(), 3U);
    EXPECT_THAT(document.at("recommended"), testing::AnyOf("simple", "overlapped", "full"));
    EXPECT_GT(document.at("throughputBound").at("reached"), 0);

    const std::string svg = fileText(folder / "plot.svg");
    EXPECT_TRUE(isWellFormed(svg)) << svg;
    EXPECT_THAT(svg,
                AllOf(HasSubstr("simulated device"), HasSubstr("reading limited to 400 MB/s")));
    std::vector<std::string> lanes;
    const json trace = json::parse(fileText(folder / "trace.json"));
    for (const json& event : trace.at("traceEvents")) {
        if (event.at("name") == "thread_name") lanes.push_back(event.at("args").at("name"));
    }
    EXPECT_THAT(lanes, testing::IsSupersetOf({"loader", "network", "finisher", "store"}));
    // The benchmark removes its meshes, and leaves the plot and the trace.
    EXPECT_THAT(filesIn(folder.path()), testing::UnorderedElementsAre("plot.svg", "trace.json"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_FALSE(entry.is_directory()) << entry.path();
}

TEST(BenchPipeline, runsTheNetwork_whenNothingIsSimulated) {
    const TempFolder folder;
    overwrite(folder / "list.txt", "02691156_p0001_00.dat\n02691156_none_00.dat\n");
    const auto samples = bundledSample("02691156").parent_path().parent_path();
    const ProcessResult result =
        runThreefold({"bench", "pipeline", (folder / "list.txt").string(), "--images",
                      samples.string(), "--modes", "full", "--no-meshes", "--json"});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("simulated"), false);
    ASSERT_EQ(document.at("runs").size(), 1U);
    const json& run = document.at("runs").at(0);
    EXPECT_EQ(run.at("samples"), 2);
    EXPECT_EQ(run.at("failed"), 1);
    EXPECT_EQ(run.at("parts").at("write").at("samples"), 0);
    EXPECT_EQ(document.at("recommended"), "full");
}

TEST(BenchPipeline, refusesOptions_whichItCannotRun) {
    EXPECT_EQ(runThreefold({"bench", "pipeline", "--modes", "fastest"}).exitCode, 2);
    EXPECT_EQ(runThreefold({"bench", "pipeline", "/nowhere"}).exitCode, 1);
    EXPECT_EQ(runThreefold({"bench", "pipeline", "--simulate-device", "-1"}).exitCode, 2);
}

}  // namespace
}  // namespace threefold::test
