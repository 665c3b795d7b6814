#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/bench/throughput_sweep.h"
#include "engine/model/run_step.h"
#include "tests/app/bundled.h"
#include "tests/app/gpu_starts.h"

// Benchmarks with and without a GPU. A fake plug-in simulates the GPU.

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WithGpu, latencyShowsCeilingsBesideTheRates) {
    const ProcessResult result =
        runThreefold({"bench", "latency", "--runs", "1", "--warmup", "0", "--json"}, withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("device").at("name"), "Stand-in");
    EXPECT_EQ(document.at("device").at("driver"), "000.00");
    EXPECT_EQ(document.at("ceilings").at("teraflops"), 1e6);
    EXPECT_EQ(document.at("network").at("medianMs"), 0.5);
    EXPECT_EQ(document.at("stages").size(), runStepsOf(kPublishedHypothesisBlocks).size());
    const json memory = {{"peakMb", 300.0},  {"peakPoolMb", 200.0}, {"beforeMb", 500.0},
                         {"poolHits", 1200}, {"poolFrees", 3},      {"poolLateAllocations", 2}};
    EXPECT_EQ(document.at("deviceMemory"), memory);
    for (const json& row : document.at("stages")) {
        const double flop = row.at("stepFlop");
        EXPECT_NEAR(row.at("teraflops").get<double>(),
                    flop * 1e-9 / row.at("medianMs").get<double>(), 1e-9);
        EXPECT_GE(row.at("gigabytesPerSecond"), 0.0);
    }
}

TEST(WithGpu, latencyReportsWhetherTargetsAreMet) {
    // The fake GPU needs 0.5 ms per sample.
    const std::vector<std::string> words = {"bench",         "latency", "--runs",      "1",
                                            "--warmup",      "0",       "--target-ms", "0.75",
                                            "--target-rate", "2500"};
    const ProcessResult table = runThreefold(words, withGpu());
    ASSERT_EQ(table.exitCode, 0) << table.errors;
    EXPECT_THAT(table.output, HasSubstr("\ntarget 0.75 ms a sample: met with 0.5\n"
                                        "target 2500 samples/s: missed with 2000\n"));
    std::vector<std::string> asJson = words;
    asJson.emplace_back("--json");
    const json targets = json::parse(runThreefold(asJson, withGpu()).output).at("targets");
    const json milliseconds = {{"target", 0.75}, {"reached", 0.5}, {"met", true}};
    EXPECT_EQ(targets.at("milliseconds"), milliseconds);
    EXPECT_EQ(targets.at("samplesPerSecond").at("met"), false);
}

TEST(WithGpu, throughputEndsTheSweep_whenTheDeviceIsFull) {
    const ProcessResult result = runThreefold(
        {"bench", "throughput", "--batches", "1,2,3", "--seconds", "0", "--warmup", "0", "--json"},
        withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    ASSERT_EQ(document.at("batches").size(), 2U);
    EXPECT_THAT(document.at("batches").at(1).at("problem").get<std::string>(),
                HasSubstr("room for one mesh"));
    EXPECT_EQ(document.at("best").at("batch"), 1);
}

TEST(WithGpu, throughputMeasuresEachOptimisation_whenAskedToAblate) {
    const ProcessResult result =
        runThreefold({"bench", "throughput", "--ablate", "--batches", "1,2", "--seconds", "0",
                      "--warmup", "0", "--json", "-v"},
                     withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    for (const char* settings : {"3 streams, graphs, pinned", "1 streams, graphs, pinned",
                                 "3 streams, launches, pinned", "3 streams, graphs, pageable"})
        EXPECT_THAT(result.errors, HasSubstr(settings));
    const json rows = json::parse(result.output).at("ablations");
    ASSERT_EQ(rows.size(), 8U);
    EXPECT_EQ(rows[0].at("without"), "");
    EXPECT_EQ(rows[0].at("ratio"), 1.0);
    EXPECT_EQ(rows[2].at("without"), "graphs");
    EXPECT_NEAR(
        rows[2].at("ratio").get<double>(),
        rows[0].at("meshesPerSecond").get<double>() / rows[2].at("meshesPerSecond").get<double>(),
        1e-9);
    // The fake GPU has memory for one mesh; row 4 is the first with a batch of two.
    EXPECT_FALSE(rows[4].contains("ratio"));
}

TEST(BenchThroughput, hasNothingToAblate_onTheProcessor) {
    const ProcessResult result =
        runThreefold({"bench", "throughput", "--ablate", "--backend", "cpu"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("--ablate has no effect on the processor"));
}

std::vector<json> jsonLines(const std::string& text) {
    std::vector<json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
    return lines;
}

TEST(WithGpu, kernelsShowsCeilingsBesideEachStep) {
    const ProcessResult result =
        runThreefold({"bench", "kernels", "--runs", "3", "--batch", "2", "--json"}, withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("device").at("name"), "Stand-in");
    EXPECT_EQ(document.at("batch"), 2);
    EXPECT_EQ(document.at("kernels"), "fused");
    ASSERT_EQ(document.at("steps").size(), 2U);
    EXPECT_EQ(document["steps"][0]["minTrafficBytes"], 2e6);
    const json& step = document["steps"][1];
    EXPECT_EQ(step.at("step"), "fused");
    EXPECT_EQ(step.at("nodes"), 2);
    EXPECT_EQ(step.at("medianMs"), 3.0);
    EXPECT_DOUBLE_EQ(step.at("teraflops"), 4.0 / 3);
    EXPECT_DOUBLE_EQ(step.at("ofPeakProducts"), 4e-6 / 3);
    EXPECT_DOUBLE_EQ(step.at("ofPeakCopies"), 2e-6 / 3);
    EXPECT_DOUBLE_EQ(document.at("sumMs"), 3.5);
}

TEST(WithGpu, kernelsKeepsEarlierSteps_whenALaterStepFails) {
    // On the second fake device every operation fails, so `kernels` stops after its first step.
    const std::vector<std::string> words = {"bench",  "kernels", "--device",  "1",
                                            "--runs", "1",       "--kernels", "library"};
    const ProcessResult table = runThreefold(words, withGpu());
    EXPECT_EQ(table.exitCode, 1);
    EXPECT_THAT(table.output, HasSubstr("library kernels"));
    EXPECT_THAT(table.output, HasSubstr("upload"));
    EXPECT_EQ(lineCount(table.errors), 1U) << table.errors;
    std::vector<std::string> asLines = words;
    asLines.emplace_back("--json-lines");
    const std::vector<json> lines = jsonLines(runThreefold(asLines, withGpu()).output);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].at("kernels"), "library");
    EXPECT_EQ(lines[1].at("step"), "upload");
}

TEST(WithGpu, throughputGivesALineForEachSize_whenAskedForLines) {
    const std::vector<std::string> words = {"bench",     "throughput", "--batches", "1,2,3",
                                            "--seconds", "0",          "--warmup",  "0"};
    std::vector<std::string> asLines = words;
    asLines.emplace_back("--json-lines");
    const ProcessResult result = runThreefold(asLines, withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const std::vector<json> lines = jsonLines(result.output);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].at("device").at("name"), "Stand-in");
    EXPECT_EQ(lines[1].at("batch"), 1);
    EXPECT_TRUE(lines[2].contains("problem"));
    EXPECT_EQ(lines[3].at("best").at("batch"), 1);
    const ProcessResult table = runThreefold(words, withGpu());
    EXPECT_THAT(table.output, HasSubstr("meshes/s in batches of 1"));
    EXPECT_EQ(lineCount(table.output), 8U) << table.output;
}

TEST(WithGpu, opsCompareWithTheProcessor) {
    const ProcessResult result = runThreefold(
        {"bench", "ops", "--runs", "1", "--warmup", "0", "--first", "100", "--second", "130"},
        withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("of peak"));
    EXPECT_THAT(result.output, HasSubstr("0.0e+00"));
}

TEST(BenchThroughput, countsMeshes_onTheProcessor) {
    const ProcessResult result =
        runThreefold({"bench", "throughput", "--backend", "cpu", "--batches", "2", "--seconds", "0",
                      "--warmup", "0", "--sample", bundledSample("03001627").string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("device").at("kind"), "cpu");
    const json& row = document.at("batches").at(0);
    EXPECT_EQ(row.at("runs"), 1);
    EXPECT_NEAR(row.at("meshesPerSecond").get<double>(), 2000 / row.at("medianMs").get<double>(),
                0.01 * row.at("meshesPerSecond").get<double>());
}

TEST(BenchOps, timesBothOperations_onTheProcessor) {
    const ProcessResult result =
        runThreefold({"bench", "ops", "--backend", "cpu", "--runs", "1", "--warmup", "0", "--first",
                      "64", "--second", "100", "--batch", "2", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("pairs"), 2);
    EXPECT_FALSE(document.contains("ceilings"));
    ASSERT_EQ(document.at("ops").size(), 2U);
    for (const json& row : document.at("ops")) {
        EXPECT_GT(row.at("medianMs"), 0.0);
        EXPECT_EQ(row.at("error"), 0.0);
        EXPECT_GT(row.at("flop"), 8.0 * 64 * 100 * 2 - 1);
    }
    EXPECT_EQ(document.at("ops").at(1).at("op"), "matching");
    EXPECT_GT(document.at("ops").at(1).at("gapOfCost"), 0.0);
    EXPECT_LT(document.at("ops").at(1).at("gapOfCost"), 0.1);
}

TEST(BenchRaster, timesTheGpu_whenAsked) {
    const std::vector<std::string> words = {"bench",    "raster", "--triangles", "100",
                                            "--size",   "32",     "--runs",      "1",
                                            "--warmup", "0",      "--cuda",      "--json"};
    const ProcessResult result = runThreefold(words, withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(json::parse(result.output).at("meshes").at(0).at("tiers").at(3).at("tier"), "cuda");
    EXPECT_EQ(runThreefold(words, withoutPlugin()).exitCode, 1);
}

TEST(Throughput, hasNoBest_whenNothingRan) {
    ThroughputResult result;
    EXPECT_EQ(result.best(), nullptr);
    result.rows = {{1, 0, 0, 0, "full"}};
    EXPECT_EQ(result.best(), nullptr);
    result.rows = {{1, 3, 2, 500, ""}, {2, 3, 3, 667, ""}, {4, 0, 0, 0, "full"}};
    ASSERT_NE(result.best(), nullptr);
    EXPECT_EQ(result.best()->batch, 2);
}

}  // namespace
}  // namespace threefold::test
